"""What a hostile world does to debox, at length: `make torture`."""
