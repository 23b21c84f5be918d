#include "gen/gpu/kernel_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "codes/field/bitmatrix.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "gen/gpu/kernel_forms.hpp"
#include "gen/gpu/kernel_frame.hpp"
#include "gen/text/code_comment.hpp"

namespace xorloom {
namespace {

/// Properties of a form of kernels.
struct FormRecord {
  const char* name;
  bool is_for_packets;
  bool is_direct;  ///< its sums read inputs alone
  /// Additions of a vector for an operand with some coefficient.
  std::size_t (*additions)(const Field& field, Field::Symbol coefficient);
  /// Equations that it computes.
  Program (*equations)(const Program& program);
  KernelDraft (*draft)(const KernelJob& job);
};

std::size_t once(const Field& /*field*/, Field::Symbol /*coefficient*/) { return 1; }

std::size_t once_per_one(const Field& field, Field::Symbol coefficient) {
  return weight(field, coefficient);
}

std::size_t once_per_power(const Field& field, Field::Symbol coefficient) {
  return static_cast<std::size_t>(std::popcount(field.polynomial_of(coefficient)));
}

Program as_it_is(const Program& program) { return program; }

/// Indexed by KernelForm.
constexpr std::array kForms = {
    FormRecord{"accumulators", true, true, once, written_out, accumulator_kernel},
    FormRecord{"iterative", true, false, once, with_shared_sums, iterative_kernel},
    FormRecord{"horner", false, false, once_per_power, as_it_is, horner_kernel},
    FormRecord{"bit-sliced", false, true, once_per_one, bits_of, plane_kernel},
    FormRecord{"tables", false, true, once, written_out, table_kernel}};

const FormRecord& record_of(KernelForm form) { return kForms[static_cast<std::size_t>(form)]; }

std::vector<std::size_t> locations_touched(const Program& program) {
  std::set<std::size_t> locations = locations_with(program, program.inputs);
  locations.merge(locations_with(program, program.outputs));
  if (locations.size() > kMostKernelChunks) {
    fail(Status::kUnsupported, "a kernel takes {} chunks at most, and these are {}",
         kMostKernelChunks, locations.size());
  }
  return {locations.begin(), locations.end()};
}

void check_options(const KernelOptions& options) {
  if (options.vector_bytes && *options.vector_bytes != 4 && *options.vector_bytes != 8) {
    fail(Status::kInvalidArgument, "vector_bytes = {} is not 4 or 8", *options.vector_bytes);
  }
  if (options.name) check_name(*options.name);
}

void check_form(const Code& code, KernelForm form) {
  const bool in_packets = code.arrangement == Arrangement::kPacket;
  if (record_of(form).is_for_packets == in_packets) return;
  fail(Status::kUnsupported, "{} lies in {}, which the form {} does not compute", code.name(),
       in_packets ? "packets" : "words", form_name(form));
}

/// Number of vector additions for the operands of all equations.
std::size_t additions(const Program& program, KernelForm form) {
  const Program direct = record_of(form).is_direct ? written_out(program) : Program{};
  std::size_t number = 0;
  for (const Equation& equation : (record_of(form).is_direct ? direct : program).equations) {
    for (const Operand& operand : equation.operands) {
      number += record_of(form).additions(program.field, operand.coefficient);
    }
  }
  return number;
}

/// A later draft is taken if its price is at most this share of the best price so far: earlier
/// drafts are shorter, and compile sooner.
constexpr double kWorthwhile = 0.85;

/// Returns the draft with the lowest price of those that the options permit. Forms after the first
/// are tried if instructions or registers limit the best draft so far.
KernelDraft best_draft(const Code& code, const Program& program,
                       const std::vector<std::size_t>& chunks, const KernelOptions& options) {
  const std::vector<KernelForm> forms = options.form ? std::vector{*options.form} : forms_of(code);
  std::optional<KernelDraft> best;
  for (const KernelForm form : forms) {
    check_form(code, form);
    if (best && !best->price.is_work_bound()) break;
    if (const std::size_t number = additions(program, form); number > kMostKernelAdditions) {
      if (best || form != forms.back()) continue;
      fail(Status::kUnsupported, "{} additions are more than the {} of a kernel", number,
           kMostKernelAdditions);
    }
    const Program equations = record_of(form).equations(program);
    for (const std::size_t bytes : {std::size_t{4}, std::size_t{8}}) {
      if (options.vector_bytes && *options.vector_bytes != bytes) continue;
      KernelDraft draft = record_of(form).draft({code, equations, chunks, options, bytes});
      draft.kernel.form = form;
      draft.kernel.vector_bytes = bytes;
      if (!best || draft.price.clocks() < kWorthwhile * best->price.clocks()) {
        best = std::move(draft);
      }
    }
  }
  return std::move(*best);
}

/// Returns the draft with the lowest price of those that the options permit. Its lines are read
/// back and compared with the program.
///
/// Errors: as emit_kernel.
KernelDraft choose_kernel(const Code& code, const NamedProgram& named,
                          const KernelOptions& options) {
  check_options(options);
  check_name(named.name);
  const Program& program = named.program;
  check_program_of(code, program, "a kernel");
  std::vector<std::size_t> chunks = locations_touched(program);
  KernelDraft draft = best_draft(code, program, chunks, options);
  const bool has_planes = draft.kernel.form == KernelForm::kBitSliced;
  const Program computed = has_planes ? bits_of(program) : program;
  check_lines({kKernelWords, computed, chunks, has_planes ? program.field.w() : 1},
              std::array{draft.lines});
  draft.kernel.entry = fmt::format("{}_{}", file_prefix(code, options.name), named.name);
  draft.kernel.chunks = std::move(chunks);
  return draft;
}

}  // namespace

const char* form_name(KernelForm form) { return record_of(form).name; }

const char* memory_name(KernelTableMemory memory) {
  constexpr std::array kNames = {"global", "constant", "local"};
  return kNames[static_cast<std::size_t>(memory)];
}

std::vector<KernelForm> forms_of(const Code& code) {
  if (code.arrangement == Arrangement::kPacket) {
    return {KernelForm::kAccumulators, KernelForm::kIterative};
  }
  const bool doubles = code.field.basis().empty() && code.plane_bytes == 0;
  return doubles ? std::vector{KernelForm::kHorner, KernelForm::kBitSliced}
                 : std::vector{KernelForm::kBitSliced};
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
  check_names(programs, options.name, "kernels");
  KernelOptions same = options;
  std::vector<std::string> definitions;
  std::string kernels;
  for (const NamedProgram& program : programs) {
    const KernelDraft draft = choose_kernel(code, program, same);
    const KernelText& kernel = draft.kernel;
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
