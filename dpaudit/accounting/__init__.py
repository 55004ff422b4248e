"""What a mechanism or a guarantee means as epsilon at delta, enclosed from both sides."""
