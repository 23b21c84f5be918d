// The part of the library fmt that programs use, compiled here. So nothing that is built needs
// libfmt at run time, whose version differs between releases of a distribution. Header-only fmt
// would add several seconds to the build of every file.

#include <fmt/format.h>

// The definitions are weak: a program that links the static library may bring its own libfmt.a.
#undef FMT_FUNC
#define FMT_FUNC __attribute__((weak))
#include <fmt/format-inl.h>

// The templates that fmt's headers declare and leave to its library.
template fmt::detail::dragonbox::decimal_fp<float> fmt::detail::dragonbox::to_decimal(
    float) noexcept;
template fmt::detail::dragonbox::decimal_fp<double> fmt::detail::dragonbox::to_decimal(
    double) noexcept;
template fmt::detail::thousands_sep_result<char> fmt::detail::thousands_sep_impl(locale_ref);
template char fmt::detail::decimal_point_impl(locale_ref);
template void fmt::detail::buffer<char>::append(const char*, const char*);
#if FMT_VERSION >= 110000
template void fmt::detail::vformat_to(buffer<char>&, string_view, format_args, locale_ref);
#elif FMT_VERSION >= 100000
template void fmt::detail::vformat_to(buffer<char>&, string_view, vformat_args<>::type, locale_ref);
#endif
