"""The paper's own accounting: tree noise and the constants that its corollaries prescribe."""
