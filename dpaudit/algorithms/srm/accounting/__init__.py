"""The paper's own accounting: noise calibrated by its theorem, and its prescriptions."""
