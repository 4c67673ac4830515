# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C functions in PyTorch:

    from nablac.torch import differentiate
    y = differentiate("test.c", "f").apply(x)
"""

import torch

from nablac.function import ArgumentError
from nablac.shape import Map


class Once(torch.autograd.Function):
    """An adjoint, computed of `x` and its seed by what is not differentiated again."""

    @staticmethod
    def forward(ctx, adjoint, x, seed, name):
        """The adjoint as it is."""
        ctx.name = name
        return adjoint

    @staticmethod
    def backward(ctx, *seeds):
        """An error: without it, the second derivative would miss what the function adds."""
        raise RuntimeError(f"the derivative of '{ctx.name}', a function in C, is not "
                           "differentiated again; compute second derivatives in C")


def differentiate(source, name, shape=None, **options):
    """Returns a torch.autograd.Function of a C function of one array (nablac.shape.Map).

    Tensors must be on the CPU and have the type of the C function's numbers. It has derivatives in
    reverse and in forward mode; that these are differentiated again is an error.
    """
    made = Map(source, name, shape, **options)

    class CFunction(torch.autograd.Function):
        """The function and its adjoint."""

        @staticmethod
        def forward(ctx, x):
            """The value."""
            if not isinstance(x, torch.Tensor):
                raise ArgumentError(f"'{name}' takes a tensor, not {type(x).__name__}")
            ctx.save_for_backward(x)
            ctx.save_for_forward(x)
            return torch.from_numpy(made.value(x.detach().numpy()))

        @staticmethod
        def backward(ctx, seed):
            """The adjoint of the argument."""
            (x,) = ctx.saved_tensors
            adjoint = made.pullback(x.detach().numpy(), seed.detach().numpy())
            return Once.apply(torch.from_numpy(adjoint), x, seed, name)

        @staticmethod
        def jvp(ctx, tangent):
            """The tangent of the value."""
            (x,) = ctx.saved_tensors
            return torch.from_numpy(made.push(x.detach().numpy(), tangent.detach().numpy()))

    CFunction.__name__ = name
    return CFunction
