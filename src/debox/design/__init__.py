"""What a study is: its keys with their checks, and Study; nothing here runs anything."""
