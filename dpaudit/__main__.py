"""`python -m dpaudit` is the `dpaudit` command."""

from dpaudit.cli import main

main()
