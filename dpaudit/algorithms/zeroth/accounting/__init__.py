"""The paper's own accounting: public states, hidden states, shifts and windows."""
