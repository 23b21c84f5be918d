#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/shell/command.hpp"
#include "codes/code.hpp"
#include "gen/gpu/kernel_text.hpp"

namespace xorloom::cli {

/// Options of `emit` for kernels only, as typed.
struct KernelChoices {
  std::optional<std::string> form;
  std::optional<std::string> tables;
  std::optional<std::string> table_memory;
  std::optional<std::size_t> vector_bytes;
};

/// Targets of --target that are kernels, and their names in sentences.
std::vector<std::string> kernel_targets();
std::vector<std::string> kernel_languages();

/// Adds --form, --vector-bytes, --tables and --table-memory.
void add_kernel_options(Command& command, KernelChoices& choices);

/// Options of the kernels for `target`; nullopt if `target` is not for kernels.
///
/// Errors: throws kInvalidArgument for options that do not go with the target or with each other.
std::optional<KernelOptions> kernel_options(const Command& given, const std::string& target,
                                            const KernelChoices& choices,
                                            const std::optional<std::string>& name);

/// Adapts the options to equations that are iterative or given: on packets the kernel computes the
/// equations as they are, unless --form chooses another form.
KernelOptions for_equations(KernelOptions options, const Code& code, bool are_iterative);

}  // namespace xorloom::cli
