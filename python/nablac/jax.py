# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C functions in JAX:

    from nablac.jax import differentiate
    f = differentiate("test.c", "f")
    jax.grad(f)(x)
"""

import jax
import numpy as np

from nablac.shape import Map


def differentiate(source, name, shape=None, **options):
    """Returns a function of JAX made of a C function of one array (nablac.shape.Map).

    It may be compiled (jax.jit) and differentiated once, in reverse mode. The array must have the
    type of the C function's numbers: for double, JAX must allow 64 bits.
    """
    made = Map(source, name, shape, **options)

    def like(x):
        numbers = x.shape if made.shape is None else made.shape
        return jax.ShapeDtypeStruct(numbers if "y" in made.kinds else (), made.dtype)

    def value(x):
        return jax.pure_callback(lambda array: made.value(np.asarray(array)), like(x), x)

    def pullback(x, seed):
        return made.pullback(np.asarray(x), np.asarray(seed))

    def adjoint(x, seed):
        like_x = jax.ShapeDtypeStruct(x.shape, made.dtype)
        return (jax.pure_callback(pullback, like_x, x, seed),)

    function = jax.custom_vjp(value)
    function.defvjp(lambda x: (value(x), x), adjoint)
    return function
