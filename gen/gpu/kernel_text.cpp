#include "gen/gpu/kernel_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codes/text/error.hpp"
#include "gen/gpu/kernel_choice.hpp"
#include "gen/gpu/kernel_comment.hpp"
#include "gen/gpu/kernel_frame.hpp"
#include "gen/gpu/table_kernel.hpp"

namespace xorloom {

const char* form_name(KernelForm form) {
  switch (form) {
    case KernelForm::kAccumulators:
      return "accumulators";
    case KernelForm::kIterative:
      return "iterative";
    case KernelForm::kHorner:
      return "horner";
    case KernelForm::kBitSliced:
      return "bit-sliced";
    case KernelForm::kTables:
      return "tables";
  }
  return "";
}

const char* tables_name(KernelTables tables) {
  switch (tables) {
    case KernelTables::kShiftAndAdd:
      return "shift-add";
    case KernelTables::kFull:
      return "full";
    case KernelTables::kLeftRight:
      return "left-right";
    case KernelTables::kLogExp:
      return "log-exp";
    case KernelTables::kCarry:
      return "carry";
    case KernelTables::kRepeated:
      return "repeated";
    case KernelTables::kUnbranched:
      return "unbranched";
    case KernelTables::kNibbles:
      return "nibbles";
  }
  return "";
}

const char* memory_name(KernelTableMemory memory) {
  switch (memory) {
    case KernelTableMemory::kGlobal:
      return "global";
    case KernelTableMemory::kConstant:
      return "constant";
    case KernelTableMemory::kLocal:
      return "local";
  }
  return "";
}

KernelText emit_kernel(const Code& code, const NamedProgram& program,
                       const KernelOptions& options) {
  KernelDraft draft = choose_kernel(code, program, options);
  KernelText& kernel = draft.kernel;
  const std::string text =
      draft.definitions + "\n" + write_kernel(options.language, kernel, draft.place + draft.lines);
  kernel.source = write_prelude(options.language, kernel.vector_bytes, text) + text;
  return std::move(kernel);
}

std::string emit_kernels(const Code& code, std::span<const NamedProgram> programs,
                         const KernelOptions& options) {
  if (programs.empty()) fail(Status::kInvalidArgument, "there is no program to write");
  KernelOptions same = options;
  std::vector<std::string> entries;
  std::vector<std::string> definitions;
  std::string kernels;
  for (const NamedProgram& program : programs) {
    const KernelDraft draft = choose_kernel(code, program, same);
    const KernelText& kernel = draft.kernel;
    if (std::ranges::find(entries, kernel.entry) != entries.end()) {
      fail(Status::kInvalidArgument, fmt::format("two kernels are named {}", program.name));
    }
    entries.push_back(kernel.entry);
    same.vector_bytes = kernel.vector_bytes;
    if (std::ranges::find(definitions, draft.definitions) == definitions.end()) {
      definitions.push_back(draft.definitions);
    }
    if (!kernel.tables.empty()) kernels += "\n" + write_table_kernel(options.language, kernel);
    kernels += "\n" + write_kernel_comment(program.program, kernel) +
               write_kernel(options.language, kernel, draft.place + draft.lines);
  }
  if (same.form == KernelForm::kTables && programs.size() > 1) {
    fail(Status::kUnsupported, "the form tables is written for one program per file");
  }
  std::string text;
  for (const std::string& definition : definitions) {
    text += (text.empty() ? "" : "\n") + definition;
  }
  text += kernels;
  return write_file_comment(code, options.language) +
         write_prelude(options.language, *same.vector_bytes, text) + text;
}

}  // namespace xorloom
