"""The ReSQue paper's own accounting: as printed, as calibrated, and as proved."""
