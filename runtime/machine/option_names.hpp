#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace xorloom {

/// The index of `name` in `names`, the names that `option` takes.
///
/// Errors: throws kInvalidArgument with the option, the name and those it takes: "executor = 'fast'
///         is not ranges, graph, plan, auto, opencl or cuda".
std::size_t place_of_name(std::string_view option, std::string_view name,
                          std::span<const char* const> names);

/// The names of all instruction sets, in the order of the enum.
std::span<const char* const> isa_names();

}  // namespace xorloom
