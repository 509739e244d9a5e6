"""The two backends of the search, Python and the kernel, and the choice between them."""
