"""Which records, coordinates and directions a step uses, in three forms."""
