"""Many machines: hosts of this test's own, in network namespaces of Linux (as root)."""
