"""Cards, hand categories, and the strength of five cards."""
