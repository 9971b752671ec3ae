"""Everything that reads what scoring stores."""
