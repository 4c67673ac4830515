# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C functions in PyTorch:

    from nablac.torch import differentiate
    y = differentiate("test.c", "f").apply(x)
"""

import torch

from nablac.shape import Map


def differentiate(source, name, shape=None, **options):
    """Returns a torch.autograd.Function of a C function of one array (nablac.shape.Map).

    Tensors must be on the CPU and have the type of the C function's numbers. The derivative is not
    differentiated again.
    """
    made = Map(source, name, shape, **options)

    class CFunction(torch.autograd.Function):
        """The function and its adjoint."""

        @staticmethod
        def forward(ctx, x):
            """The value."""
            ctx.save_for_backward(x)
            return torch.from_numpy(made.value(x.detach().numpy()))

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, seed):
            """The adjoint of the argument."""
            (x,) = ctx.saved_tensors
            return torch.from_numpy(made.pullback(x.detach().numpy(), seed.detach().numpy()))

    CFunction.__name__ = name
    return CFunction
