// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Parts of a derivative that name no single function. */
template <class T> static T slope(T, T dx) { return dx; }
static double forward(double, double dx) { return dx; }
static float forward(float, float dx) { return dx; }

__attribute__((enzyme("derivative", forward))) double
several(double x);                                                 // error-near: no single function
__attribute__((enzyme("derivative", slope))) double any(double x); // error: no single
template <class T>
__attribute__((enzyme("derivative", slope<T>))) T chosen(T x); // error: no single function
template <class T>
__attribute__((enzyme("derivative", static_cast<T (*)(T, T)>(&slope<T>)))) // error: static member
T cast(T x);
__attribute__((enzyme("derivative", static_cast<double (*)(double, double)>(forward)))) double
one(double x);
