"""Section 4.3: when DP-SkGD is said to be faster than DP-SGD, DP-SVRG and DP-CD.

The factors sqrt(d) are right as suprema, and nearly attained where the paper says so; each has a worst case that the
paper does not mention. Two displays have a misprint in a power, and the strongly convex comparison with DP-SGD needs
another guarantee than that of Table 1.
"""

from dpaudit.claims.writing import *

from .block import BLOCKS
from .full import FULL
from .importance import IMPORTANCE

CLAIMS = (*FULL, *BLOCKS, *IMPORTANCE)
