"""Estimators: from the scores of a distinguishing game to statements with a stated confidence."""
