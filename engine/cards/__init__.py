"""Cards, the categories of hands, and the value of five cards."""
