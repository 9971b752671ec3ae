"""Forms: they check what was typed and hold no rules."""
