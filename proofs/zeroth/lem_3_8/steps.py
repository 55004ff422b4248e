"""The first part of the proof of Lemma 3.8, (44) to (46): the law of the sum of squared projections.

(46) and the line after it write Beta(k/2, (d - k)/2) with the index k in the place of K, and the hypothesis of the
appendix gives the projector sum u_k u_k^T the law of a frame; both are slips of notation.
"""

from dpaudit.claims.writing import *

from .symbols import *

ROTATION = (real("c", "[-1, 1]", "cosine"), real("s", "[-1, 1]", "sine"))
ON_CIRCLE = ("c**2 + s**2 == 1",)
TURN = point("c=3/5 s=4/5")
P, Q = positive("p", "K/2"), positive("q", "(d - K)/2")
R, X = positive("r", "|Z|^2/2"), real("x", "(0, 1)", "share of the first K squares in |Z|^2")

STEPS = (
    erratum(
        "s1",
        "sum u_k u_k^T has the law of O (sum e_k e_k^T), O Haar, as printed; the left side is symmetric, so the right "
        "must be: for d = 2, K = 1 and O the rotation with cosine c and sine s its off-diagonal entries are 0 and s",
        "0 == s",
        ROTATION,
        ON_CIRCLE,
        reads=Reads.READING,
        place="Appendix A.7, first line of the proof",
        printed=r"\sum_{k=1}^{K}u_{k}u_{k}^{T}\stackrel{d}{=}\mathbf{O}\sum_{k=1}^{K}e_{k}e_{k}^{T}",
        candidates=(TURN,),
        finding=(
            "The trailing O^T is missing: O (sum e_k e_k^T) is not even symmetric. A misprint: what follows takes O "
            "e_k for u_k, which gives O (sum e_k e_k^T) O^T, and the lemma is not touched."
        ),
        repair=f"{HERE}/s1~repaired",
    ),
    step(
        "s1~repaired",
        "with the trailing O^T it is a projection, as the left side is. Encoded: for d = 2, K = 1, that the first "
        "entry of its square is c^2 + s^2 = 1 times its first entry",
        "(c**2)**2 + (c*s)**2 == c**2*(c**2 + s**2)",
        ROTATION,
        place="Appendix A.7, first line of the proof",
    ),
    erratum(
        "s2",
        "(44): (<A,u_1>, .., <A,u_1>), with u_1 repeated as printed, has the law of the first K coordinates of O^T A; "
        "for d = K = 2 (d >= 2K is needed later only) the two coordinates c and s of O^T A would be equal",
        "c == s",
        ROTATION,
        ON_CIRCLE,
        place="Appendix A.7, (44)",
        printed=r"[\langle A,u_{1}\rangle,\ldots,\langle A,u_{1}\rangle]\stackrel{d}{=}[\langle A,Oe_{1}\rangle,"
        r"\ldots,\langle A,Oe_{K}\rangle]",
        candidates=(TURN,),
        finding=(
            "A misprint: (44) has u_1 in every place where u_1, .., u_K is meant. As printed all coordinates of a "
            "random point of the sphere would be equal. The lemma is not touched."
        ),
        repair=f"{HERE}/s2~repaired",
    ),
    step(
        "s2~repaired",
        "(44), second equality: <A, O e_k> = <O^T A, e_k>. Encoded: for d = 2 and k = 2, with A = (a, b)",
        "a*(-s) + b*c == c*b - s*a",
        (*ROTATION, real("a", "[-1, 1]"), real("b", "[-1, 1]")),
        reads=Reads.PRINTED,
        place="Appendix A.7, (44), the second equality",
        printed=r"[\langle A,Oe_{1}\rangle,\ldots,\langle A,Oe_{K}\rangle]=[\langle O^{T}A,e_{1}\rangle,\ldots,"
        r"\langle O^{T}A,e_{K}\rangle]",
    ),
    step(
        "s3",
        "(45), the reason: a rotation in a plane of two coordinates leaves x^2 + y^2 as it is, and with it the density "
        "of Z; such rotations generate all of them, and the uniform law is the only one on the sphere that none "
        "changes. Encoded: that x^2 + y^2 stays",
        "(c*x - s*y)**2 + (s*x + c*y)**2 == x**2 + y**2",
        (*ROTATION, real("x"), real("y")),
        ON_CIRCLE,
        reads=Reads.REASON,
        place="Appendix A.7, (45)",
        printed=r"O^{T}A\stackrel{d}{=}\frac{Z}{\|Z\|}",
        argument=(Combine((("x**2 + y**2", "c**2 + s**2 == 1"),)),),
        candidates=(point("c=3/5 s=4/5 x=1 y=2"),),
        mutants=(
            mutant(
                "reflection",
                "one sign less",
                "(c*x + s*y)**2 + (s*x + c*y)**2 == x**2 + y**2",
                "c=3/5 s=4/5 x=1 y=2",
            ),
        ),
    ),
    step(
        "s4",
        "(46), the reason: half of the first K and of the other squares are gamma variables with p = K/2 and "
        "q = (d - K)/2; for their sum r and the share x of the first, da db = r dr dx, and the density is a product of "
        "a gamma density in r and x^(p - 1) (1 - x)^(q - 1), that of Beta(p, q). Encoded: the product of densities",
        "(r*x)**(p - 1)*(r*(1 - x))**(q - 1)*exp(-r*x - r*(1 - x))*r"
        " == r**(p + q - 1)*exp(-r)*(x**(p - 1)*(1 - x)**(q - 1))",
        (P, Q, R, X),
        reads=Reads.REASON,
        place="Appendix A.7, (46)",
        printed=r"\frac{\sum_{k=1}^{K}Z_{k}^{2}}{\|Z\|^{2}}\sim Beta(\frac{k}{2},\frac{d-k}{2})",
    ),
)
