"""Random draws of a training, aligned between a recording and its replay on a neighbour: `alignment` says how."""
