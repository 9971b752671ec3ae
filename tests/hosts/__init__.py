"""Several machines: hosts made for these tests in Linux network namespaces (as root)."""
