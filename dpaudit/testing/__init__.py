"""For test suites: assert that a release is private, or that a function has the sensitivity that its noise is made for.

`assert_sensitivity` and `neighbouring_data_sets` need hypothesis, `assert_private` the accountants; both come with
`pip install -c constraints.txt -e '.[testing]'` in the checkout.
"""

from dpaudit.testing.data_sets import neighbouring_data_sets
from dpaudit.testing.guarantees import NotPrivate, UnderPowered, assert_private
from dpaudit.testing.sensitivity import assert_sensitivity

__all__ = ["NotPrivate", "UnderPowered", "assert_private", "assert_sensitivity", "neighbouring_data_sets"]
