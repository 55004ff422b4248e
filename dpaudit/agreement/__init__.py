"""Do the three forms of an algorithm compute the same?"""
