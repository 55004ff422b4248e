"""The printed proof of Theorem 3.2: the coupling, and what the noise along the directions tells."""

from dpaudit.claims.writing import *

from .symbols import *

CHANGE, PROJECTED = vector("v", "some vector"), vector("p", "its part in the span of the directions")
AGAIN = vector("q", "the part of p in the span")
SLOPES = (real("s", meaning="the slope of the replaced record"), real("s_new", meaning="of what replaces it"))
CLIPPED = ("abs(s) <= Delta", "abs(s_new) <= Delta")
MOVED, ALONG_T = "2*Delta*eta/(n*K)", "(eta**2*beta[t]*sigma**2/K)"
DIVERGENCES = ("whole", "first", "second", "sent")

COUPLING = (
    erratum(
        "s1-split",
        "sigma_{1,t}^2 = (eta^2/K) beta_t sigma^2 matches (3), read with the beta_t of (3): there the noise along a "
        "direction is eta/sqrt(K) times a Gaussian of variance (1 - beta_t) sigma^2",
        "eta**2/K*beta*sigma**2 == (eta/sqrt(K))**2*((1 - beta)*sigma**2)",
        (ETA, SIGMA, DIRECTIONS, SHARE),
        reads=Reads.READING,
        place="the proof of Theorem 3.2, after (6)",
        printed=r"\sigma_{1,t}^2=\frac{\eta^2}{K}\beta_t\sigma^2\text{ and }\sigma_{2,t}^2=\frac{\eta^2}{d}(1-\beta_t)"
        r"\sigma^2\text{ to match the original Noisy-ZOGD update (3)}",
        candidates=(point("eta=1 sigma=1 K=1 beta=1/4"),),
        finding=(
            "(3), Theorem 3.1 and Appendix A.10 give beta_t to the isotropic noise, Theorem 3.2, Corollary 3.3 and "
            "Theorem A.3 to the noise along the directions. A slip of notation: with 1 - beta_t for beta_t on one "
            "side all is well. Whoever runs (3) with a beta_t chosen by Theorem 3.2 has the two noises exchanged."
        ),
        repair=f"{HERE}/s1-split~repaired",
    ),
    step(
        "s1-split~repaired",
        "with beta_t and 1 - beta_t exchanged in (3) the noise along a direction is that of Theorem 3.2",
        "eta**2/K*beta*sigma**2 == (eta/sqrt(K))**2*(beta*sigma**2)",
        (ETA, SIGMA, DIRECTIONS, SHARE),
    ),
    erratum(
        "s1-mean",
        "(6) to the letter: each of the K numbers G'_{t,k} has the whole vector psi'(W') - psi(W') as its mean, so "
        "that their sum moves W' by psi'(W') - psi(W'). Encoded for a change of length 1",
        "K*norm(p) == norm(p)",
        (DIRECTIONS, PROJECTED),
        ("norm(p) == 1",),
        reads=Reads.READING,
        place="(6)",
        printed=r"G_{t,k}'\sim N(\hat\psi_t'(W_t')-\hat\psi_t(W_t'),\sigma_{1,t}^2)",
        candidates=(point("K=2 p=(1,0)"),),
        finding=(
            "A number has no vector as its mean; added K times the vector would move W' too far. The component along "
            "u_{t,k} is meant, and with it the coupling is right (s1). A slip of notation."
        ),
        repair=f"{HERE}/s1",
    ),
    step(
        "s1",
        "the coupling has the laws of (3) and (5): with the component of psi'(W') - psi(W') along u_k as the mean of "
        "G'_k, these add up to the whole of it, since it lies in the span of the directions. Encoded: a vector p "
        "that is a projection onto the span is its own projection q",
        "norm(q - p) <= 0",
        (CHANGE, PROJECTED, AGAIN),
        projected_by(("v", "p"), ("p", "q")),
        reads=Reads.READING,
        place="(6), with the display before it",
        candidates=(point("v=(1,1) p=(1,0) q=(1,0)"), point("v=(1,1) p=(1,0) q=(1/2,1/2)")),
        mutants=(mutant("other", "the vector that is projected", "norm(q - v) <= 0", "v=(1,1) p=(1,0) q=(1,0)"),),
    ),
    step(
        "s2",
        "(7): what W_T tells is at most what (W_T, G) tells, and that at most what G tells and what W_T tells given G",
        "sent <= first + second",
        tuple(real(name, "[0, oo)") for name in DIVERGENCES),
        (*composed("whole", "first", "second"), *processed("sent", "whole")),
        kind=ClaimKind.DIVERGENCE,
        place="(7)",
        rests_on=("renyi-composition", "post-processing"),
        printed=r"D_\alpha(W_T\|W_T')\leq D_\alpha(G_{\tau:T-1,1:K}\|G'_{\tau:T-1,1:K})+\sup_gD_\alpha(W_T|_{G=g}\|"
        r"W_T'|_{G'=g})",
        mutants=(
            mutant("one", "what G tells alone", "sent <= first", "whole=2 first=1 second=1 sent=2"),
            mutant("less", "9/10 of both", "sent <= 9/10*(first + second)", "whole=2 first=1 second=1 sent=2"),
        ),
    ),
    step(
        "s3",
        "(8), by composition over the N = T - tau steps: K directions a step, each with a Gaussian of variance "
        "sigma_{1,t}^2 and a mean that moves by at most 2 Delta eta/(n K). The mean of G'_{t,k} hangs on W'_t, so that "
        "its law is a mixture, which tells no more than its parts",
        f"whole <= sum(t, 0, N - 1, alpha*K/(2*{ALONG_T})*({MOVED})**2)",
        (
            *(ALPHA, SIGMA, ETA, CLIP, RECORDS, DIRECTIONS, WINDOW, SHARES),
            sequence("one", "[0, oo)", "the divergence for one direction and one mean"),
            sequence("mixture", "[0, oo)", "the divergence for one direction"),
            real("whole", "[0, oo)"),
        ),
        (
            f"all(t, 0, N - 1, {gaussian_renyi('one[t]', 'alpha', MOVED, f'sqrt({ALONG_T})')[0]})",
            f"all(t, 0, N - 1, {mixed('mixture[t]', 'one[t]', 'one[t]')[0]})",
            *composed("whole", "sum(t, 0, N - 1, K*mixture[t])"),
        ),
        kind=ClaimKind.DIVERGENCE,
        place="(8)",
        printed=r"\sum_{t=\tau}^{T-1}\frac{\alpha K}{2\sigma_{1,t}^2}\left(\frac{2\Delta\eta}{nK}\right)^2",
        rests_on=("renyi-composition", "renyi-of-mixtures", f"{HERE}/s4"),
        argument=(
            Bound(
                left="sum(t, 0, N - 1, K*mixture[t])",
                argument=(Combine((("1", composed("whole", "sum(t, 0, N - 1, K*mixture[t])")[0]),)),),
            ),
            Termwise(
                (
                    AtIndex("t"),
                    Combine(
                        (
                            ("K", "mixture[t] <= max(one[t], one[t])"),
                            ("K", "max(one[t], one[t]) <= one[t]"),
                            ("K", gaussian_renyi("one[t]", "alpha", MOVED, f"sqrt({ALONG_T})")[0]),
                        )
                    ),
                )
            ),
        ),
        candidates=tuple(
            point(f"alpha=2 Delta=1 K=1 N=1 beta=[1/4] {text}")
            for text in (
                "sigma=1 eta=1 n=1 one=[16] mixture=[16] whole=16",
                "sigma=1 eta=1 n=4 one=[1] mixture=[1] whole=1",
                "sigma=2 eta=1 n=1 one=[4] mixture=[4] whole=4",
                "sigma=1 eta=2 n=1 one=[16] mixture=[16] whole=16",
                "sigma=1 eta=1 n=1 one=[16] mixture=[16] whole=0",
                "sigma=1 eta=1 n=1 one=[16] mixture=[99] whole=99",
                "sigma=1 eta=1 n=1 one=[16] mixture=[16] whole=99",
            )
        ),
        mutants=(
            mutant(
                "sensitivity",
                "1 Delta in place of 2 Delta",
                f"whole <= sum(t, 0, N - 1, alpha*K/(2*{ALONG_T})*({MOVED.replace('2', '1')})**2)",
            ),
        ),
    ),
    step(
        "s4",
        "a direction moves by at most 2 Delta eta/(n K): the means of the n clipped slopes differ in one record, by at "
        "most 2 Delta/n",
        f"abs(eta/K*(1/n*s_new - 1/n*s)) <= {MOVED}",
        (ETA, CLIP, RECORDS, DIRECTIONS, *SLOPES),
        CLIPPED,
        kind=ClaimKind.SENSITIVITY,
        place="(8)",
        argument=(
            Rewrite(left="eta/(K*n)*abs(s_new - s)"),
            Have("abs(s_new - s) <= abs(s_new) + abs(s)"),
            Combine(
                (
                    ("eta/(K*n)", "abs(s_new - s) <= abs(s_new) + abs(s)"),
                    *(("eta/(K*n)", text) for text in CLIPPED),
                )
            ),
        ),
        candidates=(point("eta=1 Delta=1 n=1 K=1 s=1 s_new=-1"),),
        mutants=(mutant("one", "Delta in place of 2 Delta", "abs(eta/K*(1/n*s_new - 1/n*s)) <= 1*Delta*eta/(n*K)"),),
        tightness=(
            Tightness(
                "sensitivity",
                "2",
                "abs(eta/K*(1/n*s_new - 1/n*s)) <= {c}*Delta*eta/(n*K)",
                "2",
                "19/10",
            ),
        ),
    ),
)
