"""One file per lab: its state, its columns, its figures."""
