"""Check that what is stored still follows from the entries, and that no entry was changed."""
