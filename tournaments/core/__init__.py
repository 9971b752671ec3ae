"""What every subject uses: transitions, locks, the log, permissions, names."""
