"""The served pages, the home page, the command line."""
