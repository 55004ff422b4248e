"""The distinguishing game: many trainings on two neighbouring data sets."""
