// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives in C++17:
 *
 *   auto [adjoints] = enzyme::autodiff<enzyme::Reverse>(f, enzyme::Active(x),
 *                                                       enzyme::Duplicated(p, dp),
 *                                                       enzyme::Const(n));
 *   double dx = enzyme::get<0>(adjoints);
 *
 * Reverse gives a tuple with the tuple of the adjoints of the Active arguments, ReverseWithPrimal
 * the same and then the result of f. Forward gives a tuple with the tangent of the result, with
 * result and tangent where autodiff<Forward, Duplicated<R>> asks for both, or with the result alone
 * where Const<R> says that it has no tangent, as that of an integer. What Duplicated shadows
 * point to is added to in reverse mode, and set in forward mode. f is a function, a lambda or any
 * object that can be called; the object itself is a constant. */
#ifndef NABLA_NABLA_HPP
#define NABLA_NABLA_HPP

#include <memory>
#include <type_traits>
#include <utility>

#include "nabla/markers.h"
#include "nabla/tuple.hpp"

/* The entry points themselves, for any result and arguments. */
template <class R, class... T> R __enzyme_autodiff(T...);
template <class R, class... T> R __enzyme_fwddiff(T...);

namespace enzyme {

template <bool WithPrimal> struct ReverseMode {};
using Reverse = ReverseMode<false>;
using ReverseWithPrimal = ReverseMode<true>;
struct Forward {};

/* --- Arguments: what they are, and what stands for each of them in a call of an entry point. ----
 */

/* A number, or a struct of numbers, whose adjoint is wanted. */
template <class T> struct Active {
  using type = T;
  T value;
  NABLA_INLINE Active(T value) : value(static_cast<T>(value)) {}
};

/* A value without derivative; also as the activity of a result. */
template <class T> struct Const {
  using type = T;
  T value;
  NABLA_INLINE Const(T value) : value(static_cast<T>(value)) {}
};

/* As the activity of no result. */
template <> struct Const<void> {
  using type = void;
};

/* A value with its shadow: a pointer or a reference, in forward mode anything. */
template <class T> struct Duplicated {
  using type = T;
  T value, shadow;
  NABLA_INLINE Duplicated(T value, T shadow)
      : value(static_cast<T>(value)), shadow(static_cast<T>(shadow)) {}
};

/* The same; the value itself is not needed by the caller. */
template <class T> struct DuplicatedNoNeed {
  using type = T;
  T value, shadow;
  NABLA_INLINE DuplicatedNoNeed(T value, T shadow)
      : value(static_cast<T>(value)), shadow(static_cast<T>(shadow)) {}
};

namespace nabla_parts {

template <class W> struct is_active : std::false_type {};
template <class T> struct is_active<Active<T>> : std::true_type {};
template <class W> struct is_shadowed : std::false_type {};
template <class T> struct is_shadowed<Duplicated<T>> : std::true_type {};
template <class T> struct is_shadowed<DuplicatedNoNeed<T>> : std::true_type {};
template <class W> struct is_const : std::false_type {};
template <class T> struct is_const<Const<T>> : std::true_type {};
template <class W> struct is_duplicated : std::false_type {};
template <class T> struct is_duplicated<Duplicated<T>> : std::true_type {};

/* As the ABI has it: a reference is a pointer. */
template <class T, class Member> NABLA_INLINE auto as_argument(Member &member) {
  if constexpr (std::is_reference_v<T>)
    return std::addressof(member);
  else
    return static_cast<T>(member);
}

/* --- The call: `Left` arguments are taken from the front and put, as the entry point wants them,
 * at the end. -------------------------------------------------------------------------------------
 */

template <class R, bool Ahead, std::size_t Left, class First, class... Rest>
NABLA_INLINE R ask(void *function, First first, Rest... rest) {
  using W = First;
  if constexpr (Left == 0 && Ahead) {
    return __enzyme_fwddiff<R>(function, first, rest...);
  } else if constexpr (Left == 0) {
    return __enzyme_autodiff<R>(function, first, rest...);
  } else {
    using T = typename W::type;
    if constexpr (is_active<W>::value)
      return ask<R, Ahead, Left - 1>(function, rest..., enzyme_out, as_argument<T>(first.value));
    else if constexpr (is_const<W>::value)
      return ask<R, Ahead, Left - 1>(function, rest..., enzyme_const, as_argument<T>(first.value));
    else if constexpr (is_duplicated<W>::value)
      return ask<R, Ahead, Left - 1>(function, rest..., enzyme_dup, as_argument<T>(first.value),
                                     as_argument<T>(first.shadow));
    else
      return ask<R, Ahead, Left - 1>(function, rest..., enzyme_dupnoneed,
                                     as_argument<T>(first.value), as_argument<T>(first.shadow));
  }
}

/* An object that can be called, as a function. Its own type may be local, and has no place in the
 * type of the call. */
template <class R, class F, class... T> R call_object(void *object, T... arguments) {
  return (*static_cast<F *>(object))(static_cast<T>(arguments)...);
}

template <class F> struct object {
  F *address;
};

template <class F> inline constexpr bool is_object = false;
template <class F> inline constexpr bool is_object<object<F>> = true;

template <class R, bool Ahead, class Result, class F, class... W>
NABLA_INLINE R ask_object(object<F> f, int flag, int other, W... arguments) {
  Result (*called)(void *, typename W::type...) = call_object<Result, F, typename W::type...>;
  return ask<R, Ahead, sizeof...(W) + 1>((void *)called, Const<void *>((void *)f.address),
                                         arguments..., flag, other);
}

/* Of a function there is none. */
template <class F, class... W>
using result_of_object =
    typename std::enable_if_t<std::is_class_v<std::remove_reference_t<F>>,
                              std::invoke_result<F &, typename W::type...>>::type;

/* With two markers of the whole call. */
template <class R, bool Ahead, class Result, class F, class... W>
NABLA_INLINE R ask_for(F f, int flag, int other, W... arguments) {
  if constexpr (is_object<F>)
    return ask_object<R, Ahead, Result>(f, flag, other, arguments...);
  else
    return ask<R, Ahead, sizeof...(W)>((void *)f, arguments..., flag, other);
}

/* The tuple of the types of the Active arguments. */
template <class Found, class... W> struct adjoints_of {
  using type = Found;
};
template <class... Found, class First, class... Rest>
struct adjoints_of<tuple<Found...>, First, Rest...> {
  using type = typename adjoints_of<tuple<Found...>, Rest...>::type;
};
template <class... Found, class T, class... Rest>
struct adjoints_of<tuple<Found...>, Active<T>, Rest...> {
  using type = typename adjoints_of<tuple<Found..., T>, Rest...>::type;
};

template <class R> constexpr bool has_adjoint() {
  return std::is_floating_point_v<R> || std::is_class_v<R>;
}

/* What is not said about the result. */
template <class R>
using default_activity = std::conditional_t<has_adjoint<R>(), Active<R>, Const<R>>;

/* --- Reverse mode. -------------------------------------------------------------------------------
 */

template <class R, class... A, std::size_t... I>
NABLA_INLINE tuple<tuple<A...>, R> primal_last(const tuple<R, A...> &all,
                                               std::index_sequence<I...>) {
  return {{get<I + 1>(all)...}, get<0>(all)};
}

template <class R, class Raw, class Activity, class F, class... W>
NABLA_INLINE Raw ask_reverse(F f, int primal, W... arguments) {
  if constexpr (std::is_void_v<R>)
    return ask_for<Raw, false, R>(f, primal, enzyme_noret, arguments...);
  else if constexpr (is_const<Activity>::value)
    return ask_for<Raw, false, R>(f, primal, enzyme_const_return, arguments...);
  else if constexpr (is_active<Activity>::value)
    return ask_for<Raw, false, R>(f, primal, enzyme_active_return, arguments...);
  else
    return ask_for<Raw, false, R>(f, primal, enzyme_dup_return, arguments...);
}

template <class R, class Activity, class... A, class F, class... W>
NABLA_INLINE auto reverse(ReverseMode<true>, tuple<A...>, F f, W... arguments) {
  using Raw = tuple<R, A...>;
  Raw all = ask_reverse<R, Raw, Activity>(f, enzyme_primal_return, arguments...);
  return primal_last(all, std::index_sequence_for<A...>());
}

template <class R, class Activity, class... A, class F, class... W>
NABLA_INLINE auto reverse(ReverseMode<false>, tuple<A...>, F f, W... arguments) {
  if constexpr (sizeof...(A) == 0) {
    ask_reverse<R, void, Activity>(f, enzyme_noret, arguments...);
    return tuple<tuple<>>{};
  } else {
    return tuple<tuple<A...>>{ask_reverse<R, tuple<A...>, Activity>(f, enzyme_noret, arguments...)};
  }
}

/* --- Forward mode. -------------------------------------------------------------------------------
 */

template <class R, class Activity, class F, class... W>
NABLA_INLINE auto forward(F f, W... arguments) {
  if constexpr (std::is_void_v<R> || std::is_same_v<Activity, Const<void>>) {
    ask_for<void, true, R>(f, enzyme_noret, enzyme_noret, arguments...);
    return tuple<>{};
  } else if constexpr (is_const<Activity>::value) {
    return tuple<R>{
        ask_for<R, true, R>(f, enzyme_primal_return, enzyme_const_return, arguments...)};
  } else if constexpr (is_duplicated<Activity>::value) {
    return ask_for<tuple<R, R>, true, R>(f, enzyme_primal_return, enzyme_dup_return, arguments...);
  } else {
    return tuple<R>{ask_for<R, true, R>(f, enzyme_dup_return, enzyme_dup_return, arguments...)};
  }
}

template <class W> constexpr bool fits_reverse() {
  using T = typename W::type;
  return !is_shadowed<W>::value || std::is_pointer_v<T> || std::is_reference_v<T>;
}

template <class Mode, class Activity, class R, class F, class... W>
NABLA_INLINE auto differentiate(F f, W... arguments) {
  if constexpr (std::is_same_v<Mode, Forward>) {
    return forward<R, Activity>(f, arguments...);
  } else {
    static_assert((fits_reverse<W>() && ...),
                  "in reverse mode Duplicated arguments are pointers or references");
    using Adjoints = typename adjoints_of<tuple<>, W...>::type;
    return reverse<R, Activity>(Mode(), Adjoints(), f, arguments...);
  }
}

} // namespace nabla_parts

/* The function, or object that can be called, at the arguments that autodiff would take. */
template <class F, class... W>
NABLA_INLINE decltype(auto) primal_call(F &&f, const W &...arguments) {
  return std::forward<F>(f)(static_cast<typename W::type>(arguments.value)...);
}

/* The derivative of `f` at the arguments; `Activity` is that of the result: Active<R>, Const<R>,
 * Duplicated<R> or DuplicatedNoNeed<R>. */
template <class Mode, class Activity, class R, class... P, class... W>
NABLA_INLINE auto autodiff(R (*f)(P...), W... arguments) {
  return nabla_parts::differentiate<Mode, Activity, R>(f, arguments...);
}

template <class Mode, class R, class... P, class... W>
NABLA_INLINE auto autodiff(R (*f)(P...), W... arguments) {
  using Activity = nabla_parts::default_activity<R>;
  return nabla_parts::differentiate<Mode, Activity, R>(f, arguments...);
}

/* The same of an object that can be called. */
template <class Mode, class Activity, class F, class... W,
          class R = nabla_parts::result_of_object<F, W...>>
NABLA_INLINE auto autodiff(F &&f, W... arguments) {
  nabla_parts::object<std::remove_reference_t<F>> object{std::addressof(f)};
  return nabla_parts::differentiate<Mode, Activity, R>(object, arguments...);
}

template <class Mode, class F, class... W, class R = nabla_parts::result_of_object<F, W...>>
NABLA_INLINE auto autodiff(F &&f, W... arguments) {
  using Activity = nabla_parts::default_activity<R>;
  nabla_parts::object<std::remove_reference_t<F>> object{std::addressof(f)};
  return nabla_parts::differentiate<Mode, Activity, R>(object, arguments...);
}

} // namespace enzyme

#endif
