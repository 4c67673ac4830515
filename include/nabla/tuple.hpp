// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* enzyme::tuple: its members lie one behind the other as those of a struct that is written out, so
 * that it can be the result of an entry point. */
#ifndef NABLA_TUPLE_HPP
#define NABLA_TUPLE_HPP

#include <cstddef>
#include <utility>

#define NABLA_INLINE __attribute__((always_inline)) inline

namespace enzyme {

template <class... T> struct tuple;

template <> struct tuple<> {};

template <class A> struct tuple<A> {
  A m0;
};

template <class A, class B> struct tuple<A, B> {
  A m0;
  B m1;
};

template <class A, class B, class C> struct tuple<A, B, C> {
  A m0;
  B m1;
  C m2;
};

template <class A, class B, class C, class D> struct tuple<A, B, C, D> {
  A m0;
  B m1;
  C m2;
  D m3;
};

template <class A, class B, class C, class D, class E> struct tuple<A, B, C, D, E> {
  A m0;
  B m1;
  C m2;
  D m3;
  E m4;
};

template <class A, class B, class C, class D, class E, class F> struct tuple<A, B, C, D, E, F> {
  A m0;
  B m1;
  C m2;
  D m3;
  E m4;
  F m5;
};

template <class A, class B, class C, class D, class E, class F, class... T>
struct tuple<A, B, C, D, E, F, T...> {
  A m0;
  B m1;
  C m2;
  D m3;
  E m4;
  F m5;
  tuple<T...> rest;
};

template <class... T> tuple(T...) -> tuple<T...>;

namespace nabla_parts {

template <std::size_t I, class T> NABLA_INLINE constexpr auto &member(T &t) {
  if constexpr (I == 0)
    return t.m0;
  else if constexpr (I == 1)
    return t.m1;
  else if constexpr (I == 2)
    return t.m2;
  else if constexpr (I == 3)
    return t.m3;
  else if constexpr (I == 4)
    return t.m4;
  else if constexpr (I == 5)
    return t.m5;
  else
    return member<I - 6>(t.rest);
}

} // namespace nabla_parts

/* The member with that number. */
template <std::size_t I, class... T> NABLA_INLINE constexpr auto &get(tuple<T...> &t) {
  return nabla_parts::member<I>(t);
}

template <std::size_t I, class... T> NABLA_INLINE constexpr const auto &get(const tuple<T...> &t) {
  return nabla_parts::member<I>(t);
}

template <std::size_t I, class... T> NABLA_INLINE constexpr auto &&get(tuple<T...> &&t) {
  return std::move(nabla_parts::member<I>(t));
}

namespace nabla_parts {

template <class... A, class... B, std::size_t... I, std::size_t... J>
NABLA_INLINE constexpr tuple<A..., B...> joined(const tuple<A...> &a, const tuple<B...> &b,
                                                std::index_sequence<I...>,
                                                std::index_sequence<J...>) {
  return {get<I>(a)..., get<J>(b)...};
}

} // namespace nabla_parts

/* The members of both, in order. */
template <class... A, class... B>
NABLA_INLINE constexpr tuple<A..., B...> tuple_cat(const tuple<A...> &a, const tuple<B...> &b) {
  return nabla_parts::joined(a, b, std::index_sequence_for<A...>(),
                             std::index_sequence_for<B...>());
}

} // namespace enzyme

#endif
