#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/shell/command.hpp"
#include "codes/code.hpp"
#include "gen/gpu/kernel_text.hpp"

namespace xorloom::cli {

/// What `emit` takes for kernels alone, as it is typed.
struct KernelChoices {
  std::optional<std::string> form;
  std::optional<std::string> tables;
  std::optional<std::string> table_memory;
  std::optional<std::size_t> vector_bytes;
};

/// The targets that are kernels, as --target takes them, and what they are called in sentences.
std::vector<std::string> kernel_targets();
std::vector<std::string> kernel_languages();

/// --form, --vector-bytes, --tables and --table-memory.
void add_kernel_options(Command& command, KernelChoices& choices);

/// How kernels are written for a target; none if it is no target of kernels.
///
/// Errors: throws kInvalidArgument for options that do not go with the target or with each other.
std::optional<KernelOptions> kernel_options(const Command& given, const std::string& target,
                                            const KernelChoices& choices,
                                            const std::optional<std::string>& name);

/// The options for equations that were given or searched for: on packets they are computed as they
/// are, unless another form is asked for.
KernelOptions for_equations(KernelOptions options, const Code& code, bool are_iterative);

}  // namespace xorloom::cli
