"""`python -m app` is the command `guess-ahead`."""

from app.cli import main

main()
