// Stands before the header of this name of the C++ library, in builds for big-endian processors.
//
// There libstdc++ of GCC 11, 12 (to 12.3) and 13 (to 13.2) orders vectors of unsigned numbers by
// memcmp, of as many bytes as there are numbers (GCC bug 113960). So {0, 1} is as good as {2, 3} if
// a number has four bytes, and a map with such keys finds the wrong entry. Here only single bytes
// are ordered by memcmp.
#pragma once
#pragma GCC system_header

#include_next <bits/cpp_type_traits.h>

#if __cplusplus >= 202002L && _GLIBCXX_RELEASE <= 13
namespace std {
template <typename Number>
requires(sizeof(Number) > 1) struct __is_memcmp_ordered<Number, true> {
  static const bool __value = false;
};
}  // namespace std
#endif
