"""What inference servers print about speculation: from a text to counts, one file for each kind of source."""
