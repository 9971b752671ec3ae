"""What pages do; the rules are in the domain."""
