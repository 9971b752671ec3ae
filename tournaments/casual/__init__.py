"""Tables without a tournament; anybody can start one from the home page, without an account."""
