#include "cli/commands/emit_kernels.hpp"

#include <fmt/format.h>

#include "cli/shell/options.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

template <typename Values, typename NameOf>
std::vector<std::string> names_of(const Values& values, NameOf name_of) {
  std::vector<std::string> names;
  for (const auto value : values) names.emplace_back(name_of(value));
  return names;
}

/// The value that is called `name`. Precondition: `name` was checked by the command line.
template <typename Values, typename NameOf>
auto value_named(const std::string& name, const Values& values, NameOf name_of) {
  for (const auto value : values) {
    if (name == name_of(value)) return value;
  }
  fail(Status::kInternal, fmt::format("nothing is named {}", name));
}

}  // namespace

std::vector<std::string> kernel_targets() { return {"opencl", "cuda"}; }

std::vector<std::string> kernel_languages() { return {"OpenCL C", "CUDA C++"}; }

void add_kernel_options(Command& command, KernelChoices& choices) {
  add_choice(
      command, "--form", names_of(kKernelForms, form_name),
      [&choices](const std::string& name) { choices.form = name; },
      "kernels: how they compute; default: the form with the lowest estimated price");
  add_choice(
      command, "--vector-bytes", {"4", "8"},
      [&choices](const std::string& bytes) { choices.vector_bytes = bytes == "4" ? 4 : 8; },
      "kernels: bytes per vector; default: what has the lowest estimated price");
  add_choice(
      command, "--tables", names_of(kKernelTables, tables_name),
      [&choices](const std::string& name) { choices.tables = name; },
      "kernels of the form tables: which tables; default: unbranched");
  add_choice(
      command, "--table-memory", names_of(kKernelTableMemories, memory_name),
      [&choices](const std::string& name) { choices.table_memory = name; },
      "kernels of the form tables: where on the device these lie; default: constant");
  for (const char* name : {"--form", "--vector-bytes", "--tables", "--table-memory"}) {
    option_of(command, name).group = "With --target opencl or cuda";
  }
}

std::optional<KernelOptions> kernel_options(const Command& given, const std::string& target,
                                            const KernelChoices& choices,
                                            const std::optional<std::string>& name) {
  if (target != "opencl" && target != "cuda") {
    for (const char* option : {"--form", "--vector-bytes", "--tables", "--table-memory"}) {
      if (!is_given(given, option)) continue;
      fail(Status::kInvalidArgument,
           fmt::format("{} is for kernels: give it with --target opencl or cuda", option));
    }
    return std::nullopt;
  }
  if (is_given(given, "--header")) {
    fail(Status::kInvalidArgument, "kernels have no header: leave --header out");
  }
  KernelOptions options;
  options.language = target == "opencl" ? KernelLanguage::kOpencl : KernelLanguage::kCuda;
  options.name = name;
  options.vector_bytes = choices.vector_bytes;
  options.table_memory = KernelTableMemory::kConstant;
  if (choices.form) options.form = value_named(*choices.form, kKernelForms, form_name);
  for (const char* option : {"--tables", "--table-memory"}) {
    if (!is_given(given, option) || options.form == KernelForm::kTables) continue;
    fail(Status::kInvalidArgument,
         fmt::format("{} is for the form tables: give --form tables too", option));
  }
  if (choices.tables) options.tables = value_named(*choices.tables, kKernelTables, tables_name);
  if (choices.table_memory) {
    options.table_memory = value_named(*choices.table_memory, kKernelTableMemories, memory_name);
  }
  return options;
}

KernelOptions for_equations(KernelOptions options, const Code& code, bool are_iterative) {
  if (are_iterative && !options.form && code.arrangement == Arrangement::kPacket) {
    options.form = KernelForm::kIterative;
  }
  return options;
}

}  // namespace xorloom::cli
