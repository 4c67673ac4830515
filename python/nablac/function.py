# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled function and its derivatives, called with NumPy arrays."""

import ctypes

import numpy as np


class ArgumentError(TypeError, ValueError):
    """An argument that does not fit its parameter."""


def check_array(array, parameter, what, written):
    """Refuses what C could not read, or would read as something else; nothing is converted."""
    if not isinstance(array, np.ndarray):
        raise ArgumentError(f"{what} is '{parameter.text}': it needs a NumPy array of "
                            f"{parameter.dtype}, not {type(array).__name__}")
    if array.dtype != np.dtype(parameter.dtype):
        raise ArgumentError(f"{what} is '{parameter.text}': it needs an array of "
                            f"{parameter.dtype}, not of {array.dtype}")
    if not array.flags.c_contiguous:
        raise ArgumentError(f"{what} is not contiguous in memory: pass "
                            "numpy.ascontiguousarray(...) of it")
    if written and not array.flags.writeable:
        raise ArgumentError(f"{what} is written to, and this array is read-only")


def check_number(value, parameter, what):
    """Refuses what is no number of this kind."""
    array = np.asarray(value)
    kinds = "fiu" if parameter.real else "iub"
    if array.shape != () or array.dtype.kind not in kinds:
        raise ArgumentError(f"{what} is '{parameter.text}': it needs one number, not "
                            f"{type(value).__name__}")
    if not parameter.real:
        limits = np.iinfo(parameter.dtype)
        if not limits.min <= int(array) <= limits.max:
            raise ArgumentError(f"{what} is '{parameter.text}', for which {value} is too large")


def addresses(arrays):
    """Returns the addresses of arrays as C takes them; None becomes NULL."""
    pointers = [None if array is None else array.ctypes.data for array in arrays]
    return (ctypes.c_void_p * max(len(pointers), 1))(*pointers)


class Function:
    """A C function: call it, or ask for its gradient, its tangent, its adjoints.

    Arrays are passed as they are, with no copy; nothing is converted. `gradient`, `reverse` and
    `forward` never change the arguments: what the function writes goes to copies.
    """

    def __init__(self, signature, library, folder):
        self.signature = signature
        self._library = library
        self._folder = folder

    def __repr__(self):
        parameters = ", ".join(f"{p.text} {p.name}" for p in self.signature.parameters)
        return f"<{self.signature.result} {self.signature.name}({parameters})>"

    def _what(self, index):
        return f"argument {index + 1} ('{self.signature.parameters[index].name}') of " \
               f"'{self.signature.name}'"

    def _values(self, arguments, copy):
        """Returns an array for each argument: numbers as arrays of their type, of no dimension."""
        parameters = self.signature.parameters
        if len(arguments) != len(parameters):
            raise ArgumentError(f"'{self.signature.name}' takes {len(parameters)} arguments, not "
                                f"{len(arguments)}")
        values = []
        for i, (argument, parameter) in enumerate(zip(arguments, parameters)):
            if parameter.array:
                check_array(argument, parameter, self._what(i), parameter.written and not copy)
                values.append(argument.copy() if copy and parameter.written else argument)
            else:
                check_number(argument, parameter, self._what(i))
                values.append(np.array(argument, parameter.dtype))
        return values

    def _shadows(self, values, given, wanted):
        """Returns a shadow for each real argument: what is given for it, else zeros."""
        if given is None:
            given = [None] * len(values)
        if len(given) != len(values):
            raise ArgumentError(f"'{self.signature.name}' takes {len(values)} arguments: give as "
                                f"many {wanted}, with None for zeros")
        shadows = []
        for i, (value, start) in enumerate(zip(values, given)):
            parameter, what = self.signature.parameters[i], f"the {wanted[:-1]} of {self._what(i)}"
            if start is None:
                shadows.append(np.zeros_like(value) if parameter.real else None)
                continue
            if not parameter.real:
                raise ArgumentError(f"{what} must be None: integers have no derivative")
            if np.shape(start) != value.shape:
                raise ArgumentError(f"{what} has the shape {np.shape(start)}, the argument "
                                    f"{value.shape}")
            if parameter.array:
                check_array(start, parameter, what, False)
            shadows.append(np.array(start, parameter.dtype))
        return shadows

    def _result(self):
        kind = {"double": np.float64, "float": np.float32}.get(self.signature.result)
        return None if kind is None else np.zeros((), kind)

    def _call(self, name, values, shadows, result):
        function = getattr(self._library, name)
        function.restype = None
        lists = [addresses(values)] + ([] if shadows is None else [addresses(shadows)])
        if name != "nablac_reverse":
            lists.append(ctypes.c_void_p(None if result is None else result.ctypes.data))
        function(*lists)
        return None if result is None else float(result)

    def __call__(self, *arguments):
        """Calls the function; returns its result, None if it has none."""
        values = self._values(arguments, copy=False)
        return self._call("nablac_call", values, None, self._result())

    def forward(self, arguments, tangents):
        """Returns (tangent of the result, tangents of the arguments afterwards).

        `tangents` has one for each argument, None for zeros and for integers.
        """
        values = self._values(arguments, copy=True)
        shadows = self._shadows(values, tangents, "tangents")
        return self._call("nablac_forward", values, shadows, self._result()), shadows

    def reverse(self, arguments, seeds=None):
        """Returns the adjoints of the arguments, None for integers.

        The result of the function has the adjoint 1. `seeds` has the adjoint of what each array
        holds afterwards, None for zeros; those of arrays that are not written stay as they are and
        are added to.
        """
        values = self._values(arguments, copy=True)
        shadows = self._shadows(values, seeds, "seeds")
        self._call("nablac_reverse", values, shadows, None)
        return shadows

    def gradient(self, *arguments):
        """Returns the gradient of the result: one array or number for each real argument.

        Alone where there is only one, else a tuple.
        """
        if self.signature.result == "void":
            raise ArgumentError(f"'{self.signature.name}' has no result: give seeds to reverse()")
        found = [shadow if parameter.array else float(shadow) for shadow, parameter
                 in zip(self.reverse(arguments), self.signature.parameters) if parameter.real]
        return found[0] if len(found) == 1 else tuple(found)
