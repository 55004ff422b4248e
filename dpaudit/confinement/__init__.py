"""What keeps code of other people apart: namespaces, walls, control groups, limits, folders that are removed."""
