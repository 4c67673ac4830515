# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of the rule files as mpmath has them, to any number of digits.

`REAL` has functions of the integer arguments, then the real ones; `COMPLEX` functions of complex
numbers. A row that writes or returns several numbers has a tuple of functions.
"""

import mpmath as mp


def power_of_two(x):
    """The greatest power of two that is at most |x|."""
    return mp.mpf(2) ** mp.floor(mp.log(abs(x), 2)) if x else mp.mpf(1)


def truncated(x):
    """Rounds towards zero."""
    return mp.floor(x) if x > 0 else mp.ceil(x)


def log_gamma(x):
    """The logarithm of |gamma(x)|."""
    return mp.log(abs(mp.gamma(x)))


def fraction(x):
    """What frexp returns."""
    return x / (2 * power_of_two(x))


def remainder(x, y):
    """IEEE's remainder."""
    return x - y * mp.nint(x / y)


def dawson(x):
    """Dawson's integral."""
    return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)


def exp_of_square(part, x, y):
    """The real part, 0, or the imaginary one."""
    return (mp.im if part else mp.re)(mp.exp(mp.mpc(x, y)**2))


def erfcx(x):
    """exp(x^2) erfc(x)."""
    return mp.exp(x * x) * mp.erfc(x)


def faddeeva(z):
    """Faddeeva's function w."""
    return mp.exp(-z * z) * mp.erfc(-1j * z)


def stirling(order, x):
    """The derivative of order + 1 of what Stirling's formula lacks in log(gamma(x))."""
    if order:
        sign = -1 if order % 2 else 1
        factor = mp.factorial(order)
        return mp.polygamma(order, x) + sign * (mp.factorial(order - 1) / x**order
                                                + factor / (2 * x ** (order + 1)))
    return mp.digamma(x) - mp.log(x) + 1 / (2 * x)


def gamma_star(x):
    """gamma(x) over Stirling's formula for it."""
    return mp.gamma(x) / (mp.sqrt(2 * mp.pi) * x ** (x - mp.mpf(1) / 2) * mp.exp(-x))


def gamma_lower(a, x):
    """The regularised lower incomplete gamma function."""
    return mp.gammainc(a, 0, x, regularized=True)


def density(x):
    """The normal density."""
    return mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi)


def upper_tail(x):
    """That of the normal distribution."""
    return mp.erfc(x / mp.sqrt(2)) / 2


def smaller_by_size(x, y):
    """Of two numbers that of less magnitude."""
    return min(x, y) if abs(x) == abs(y) else x if abs(x) < abs(y) else y


def larger_by_size(x, y):
    """Of two numbers that of greater magnitude."""
    return max(x, y) if abs(x) == abs(y) else x if abs(x) > abs(y) else y


def cube_root(x):
    """The real cube root."""
    return mp.sign(x) * mp.cbrt(abs(x))


HALF_TURN = {
    "sinpi": mp.sinpi,
    "cospi": mp.cospi,
    "tanpi": lambda x: mp.sinpi(x) / mp.cospi(x),
    "asinpi": lambda x: mp.asin(x) / mp.pi,
    "acospi": lambda x: mp.acos(x) / mp.pi,
    "atanpi": lambda x: mp.atan(x) / mp.pi,
    "atan2pi": lambda y, x: mp.atan2(y, x) / mp.pi,
}


def w_of(z):
    """Faddeeva's function."""
    return mp.exp(-z * z) * mp.erfc(mp.mpc(0, -1) * z)


def voigt(x, sigma, gamma):
    """Voigt's profile, which is symmetric in both widths."""
    scale = abs(sigma) * mp.sqrt(2)
    return mp.re(w_of(mp.mpc(x, abs(gamma)) / scale)) / (scale * mp.sqrt(mp.pi))


REAL = {
    **HALF_TURN,
    "fadd": lambda x, y: x + y,
    "fsub": lambda x, y: x - y,
    "fmul": lambda x, y: x * y,
    "fdiv": lambda x, y: x / y,
    "frem": lambda x, y: x - y * truncated(x / y),
    "fneg": lambda x: -x,
    **{name: getattr(mp, name) for name in (
        "sqrt", "exp", "expm1", "log", "log1p", "sin", "cos", "tan", "asin", "acos", "atan",
        "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "hypot",
        "floor", "ceil", "erfi")},
    "fma": lambda x, y, z: x * y + z,
    "llvm.fmuladd": lambda x, y, z: x * y + z,
    "fabs": abs,
    "cbrt": cube_root,
    "exp2": lambda x: mp.mpf(2) ** x,
    "exp10": lambda x: mp.mpf(10) ** x,
    "exp2m1": lambda x: mp.mpf(2) ** x - 1,
    "exp10m1": lambda x: mp.mpf(10) ** x - 1,
    "log2": lambda x: mp.log(x, 2),
    "log10": mp.log10,
    "logp1": mp.log1p,
    "log2p1": lambda x: mp.log1p(x) / mp.log(2),
    "log10p1": lambda x: mp.log1p(x) / mp.log(10),
    "pow": lambda x, y: x**y,
    "powr": lambda x, y: x**y,
    "pown": lambda n, x: x**n,
    "llvm.powi": lambda n, x: x**n,
    "compoundn": lambda n, x: (1 + x) ** n,
    "rootn": lambda n, x: x ** (mp.mpf(1) / n),
    "rsqrt": lambda x: 1 / mp.sqrt(x),
    "fmin": min,
    "fmax": max,
    "fminmag": smaller_by_size,
    "fmaxmag": larger_by_size,
    "fdim": lambda x, y: max(x - y, mp.mpf(0)),
    "copysign": lambda x, y: abs(x) if y >= 0 else -abs(x),
    "trunc": truncated,
    "round": mp.nint,
    "rint": mp.nint,
    "nearbyint": mp.nint,
    "roundeven": mp.nint,
    "logb": lambda x: mp.floor(mp.log(abs(x), 2)),
    "fmod": lambda x, y: x - y * truncated(x / y),
    "remainder": remainder,
    "drem": remainder,
    "remquo": remainder,
    "nextafter": lambda x, y: x,
    "nexttoward": lambda x, y: x,
    "nextup": lambda x: x,
    "nextdown": lambda x: x,
    "llvm.arithmetic.fence": lambda x: x,
    "llvm.experimental.constrained.fpext": lambda x: x,
    "ldexp": lambda n, x: x * mp.mpf(2) ** n,
    "scalbn": lambda n, x: x * mp.mpf(2) ** n,
    "scalbln": lambda n, x: x * mp.mpf(2) ** n,
    "scalb": lambda x, y: x * mp.mpf(2) ** mp.nint(y),
    "significand": lambda x: x / power_of_two(x),
    "frexp": fraction,
    "modf": lambda x: x - truncated(x),
    "modf, what it writes": truncated,
    "sincos": (mp.sin, mp.cos),
    "sincospi": (mp.sinpi, mp.cospi),
    "fsqrt": mp.sqrt,
    "ffma": lambda x, y, z: x * y + z,
    "llvm.frexp": (fraction, lambda x: mp.mpf(0)),
    "llvm.modf": (lambda x: x - truncated(x), truncated),
    "llvm.sincos": (mp.sin, mp.cos),
    "llvm.sincospi": (mp.sinpi, mp.cospi),
    "__nabla_polygamma": mp.polygamma,
    "lgamma": log_gamma,
    "lgamma_r": log_gamma,
    "gamma_r": log_gamma,
    "lgammaf_r": log_gamma,
    "lgammal_r": log_gamma,
    "gammaf_r": log_gamma,
    "gammal_r": log_gamma,
    "tgamma": mp.gamma,
    "j0": lambda x: mp.besselj(0, x),
    "j1": lambda x: mp.besselj(1, x),
    "jn": mp.besselj,
    "y0": lambda x: mp.bessely(0, x),
    "y1": lambda x: mp.bessely(1, x),
    "yn": mp.bessely,
    "__nabla_erfcx": lambda n, x: mp.diff(erfcx, x, n),
    "__nabla_exp_of_square": exp_of_square,
    "__nabla_dawson": lambda n, x: mp.diff(dawson, x, n),
    "erfcx": erfcx,
    "dawson": dawson,
    "Faddeeva_erf_re": mp.erf,
    "Faddeeva_erfc_re": mp.erfc,
    "re_w_of_z": lambda x, y: mp.re(w_of(mp.mpc(x, y))),
    "im_w_of_z": lambda x, y: mp.im(w_of(mp.mpc(x, y))),
    "voigt": voigt,
    "Faddeeva_w_im": lambda x: 2 / mp.sqrt(mp.pi) * dawson(x),
    "__nabla_stirling": stirling,
    "__nabla_zeta": lambda n, x: mp.zeta(x, 1, n) if n else mp.zeta(x),
    "__nabla_gamma_density": lambda a, x: x ** (a - 1) * mp.exp(-x) / mp.gamma(a),
    "__nabla_round": lambda a, b, x: x,
    "__nabla_round_add": lambda a, b, x, y: x + y,
    "__nabla_round_sub": lambda a, b, x, y: x - y,
    "__nabla_round_mul": lambda a, b, x, y: x * y,
    "__nabla_round_div": lambda a, b, x, y: x / y,
    "__nabla_raise_double": lambda n, x: mp.ldexp(x, n),
    "__nabla_raise_float": lambda n, x: mp.ldexp(x, n),
    "__nabla_exponent_double": lambda n, x: abs(mp.frexp(x)[0]) * mp.mpf(2) ** (n - 1022),
    "__nabla_overwrite_double": lambda count, end, x: x,
    "__nabla_overwrite_float": lambda count, end, x: x,
    "__nabla_exponent_float": lambda n, x: abs(mp.frexp(x)[0]) * mp.mpf(2) ** (n - 126),
}

REAL.update({f"llvm.experimental.constrained.{name}": REAL[name]
             for name in ("fadd", "fsub", "fmul", "fdiv", "frem")})

REAL.update({f"{name}l": REAL[name] for name in ("fadd", "fsub", "fmul", "fdiv")})
REAL.update({"fsqrtl": mp.sqrt, "ffmal": REAL["fma"]})

FORTRAN = {
    "ErfcScaled8": erfcx,
    "Fraction8": fraction,
    "Scale8": lambda n, x: x * mp.mpf(2) ** n,
    "SetExponent8": lambda n, x: fraction(x) * mp.mpf(2) ** n,
    "RRSpacing8": fraction,
    "Spacing8": lambda x: mp.floor(mp.log(abs(x), 2)),
    "zpowi": (lambda n, x, y: mp.re(mp.mpc(x, y) ** n), lambda n, x, y: mp.im(mp.mpc(x, y) ** n)),
}
REAL.update({f"_FortranA{name}": function for name, function in FORTRAN.items()})

GSL = {
    "bessel_J0": lambda x: mp.besselj(0, x),
    "bessel_J1": lambda x: mp.besselj(1, x),
    "bessel_Jn": mp.besselj,
    "bessel_Y0": lambda x: mp.bessely(0, x),
    "bessel_Y1": lambda x: mp.bessely(1, x),
    "bessel_Yn": mp.bessely,
    "bessel_I0": lambda x: mp.besseli(0, x),
    "bessel_I1": lambda x: mp.besseli(1, x),
    "bessel_In": mp.besseli,
    "bessel_K0": lambda x: mp.besselk(0, x),
    "bessel_K1": lambda x: mp.besselk(1, x),
    "bessel_Kn": mp.besselk,
    "erf": mp.erf,
    "erfc": mp.erfc,
    "log_erfc": lambda x: mp.log(mp.erfc(x)),
    "erf_Z": density,
    "erf_Q": upper_tail,
    "hazard": lambda x: density(x) / upper_tail(x),
    "gamma": mp.gamma,
    "lngamma": log_gamma,
    "gammastar": gamma_star,
    "gamma_inc_P": gamma_lower,
    "gamma_inc_Q": lambda a, x: 1 - gamma_lower(a, x),
    "beta": mp.beta,
    "lnbeta": lambda a, b: mp.log(mp.beta(a, b)),
    "psi": mp.digamma,
    "psi_1": lambda x: mp.polygamma(1, x),
    "psi_n": mp.polygamma,
    "dilog": lambda x: mp.re(mp.polylog(2, x)),
    "expint_E1": lambda x: mp.re(mp.e1(x)),
    "expint_Ei": mp.ei,
    "Si": mp.si,
    "Ci": mp.ci,
    "dawson": dawson,
    "lambert_W0": lambda x: mp.re(mp.lambertw(x)),
    "lambert_Wm1": lambda x: mp.re(mp.lambertw(x, -1)),
    "legendre_Pl": mp.legendre,
    "exprel": lambda x: mp.expm1(x) / x,
    "log_1plusx": mp.log1p,
    "zeta": mp.zeta,
}
REAL.update({f"gsl_sf_{name}": function for name, function in GSL.items()})


def length(*numbers):
    """The Euclidean norm."""
    return mp.sqrt(sum(x * x for x in numbers))


LIBDEVICE = {
    "dadd_rn": lambda x, y: x + y,
    "fsub_rn": lambda x, y: x - y,
    "dmul_rn": lambda x, y: x * y,
    "ddiv_rn": lambda x, y: x / y,
    "drcp_rn": lambda x: 1 / x,
    "dsqrt_rn": mp.sqrt,
    "frsqrt_rn": lambda x: 1 / mp.sqrt(x),
    "fma_rn": lambda x, y, z: x * y + z,
    "double2float_rn": lambda x: x,
    "saturatef": lambda x: min(max(x, 0), 1),
    "rcbrt": lambda x: mp.sign(x) / mp.cbrt(abs(x)),
    "rhypot": lambda x, y: 1 / mp.hypot(x, y),
    "norm3d": length,
    "rnorm3d": lambda *numbers: 1 / length(*numbers),
    "norm4d": length,
    "rnorm4d": lambda *numbers: 1 / length(*numbers),
    "normcdf": mp.ncdf,
    "erfinv": mp.erfinv,
    "erfcinv": lambda y: mp.erfinv(1 - y),
    "normcdfinv": lambda y: mp.sqrt(2) * mp.erfinv(2 * y - 1),
    "powi": lambda n, x: x**n,
}
REAL.update({f"__nv_{name}": function for name, function in LIBDEVICE.items()})
for name in ("sincos", "sincospi"):
    REAL[f"__ocml_{name}_f64"], REAL[f"__ocml_{name}_f64, what it writes"] = REAL[name]
for kind, function in (("min", min), ("max", max)):
    REAL.update({f"{prefix}{kind}imum{end}": function
                 for prefix, end in (("f", ""), ("f", "_num"), ("llvm.", ""), ("llvm.", "num"))})
for kind, function in (("min", smaller_by_size), ("max", larger_by_size)):
    REAL.update({f"f{kind}imum_mag{end}": function for end in ("", "_num")})

COMPLEX = {
    "__muldc3": lambda z, w: z * w,
    "__divdc3": lambda z, w: z / w,
    **{f"c{name}": getattr(mp, name) for name in (
        "exp", "log", "log10", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
        "tanh", "asinh", "acosh", "atanh")},
    "creal": mp.re,
    "cimag": mp.im,
    "conj": mp.conj,
    "cproj": lambda z: z,
    "cabs": abs,
    "carg": mp.arg,
    "cpow": lambda z, w: z**w,
    "w_of_z": faddeeva,
    "cerf": mp.erf,
    "cerfc": mp.erfc,
    "cerfi": mp.erfi,
    "cerfcx": erfcx,
    "cdawson": dawson,
}
for short, long in (("w_of_z", "w"), ("cerf", "erf"), ("cerfc", "erfc"), ("cerfi", "erfi"),
                    ("cerfcx", "erfcx"), ("cdawson", "Dawson")):
    COMPLEX[f"Faddeeva_{long}"] = COMPLEX[short]
