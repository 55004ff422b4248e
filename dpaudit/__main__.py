"""`python -m dpaudit` is the `dpaudit` command."""

from dpaudit.cli.main import main

main()
