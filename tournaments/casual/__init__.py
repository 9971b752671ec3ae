"""Tables without a tournament: anybody starts one from the first page, without an account."""
