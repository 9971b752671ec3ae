"""What the interface's documents look like: the source of their schema and of their JSON."""
