#include "gen/gpu/kernel_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/ir/proof.hpp"
#include "gen/gpu/kernel_frame.hpp"
#include "gen/gpu/packet_kernel.hpp"
#include "gen/source/source_names.hpp"

namespace xorloom {
namespace {

std::vector<std::size_t> locations_touched(const Program& program) {
  std::set<std::size_t> locations;
  for (const auto* elements : {&program.inputs, &program.outputs}) {
    for (const Element element : *elements) locations.insert(element / program.rows);
  }
  if (locations.size() > kMostKernelChunks) {
    fail(Status::kUnsupported, fmt::format("{} chunks are more than the {} of a kernel",
                                           locations.size(), kMostKernelChunks));
  }
  return {locations.begin(), locations.end()};
}

/// The program with each output as a sum of inputs alone.
Program without_temporaries(const Program& program) {
  const BitMatrix matrix = evaluate_symbolically(program);
  Program direct = program;
  direct.equations.clear();
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    Equation equation{program.outputs[i], {}};
    for (const std::size_t column : matrix.ones(i)) {
      equation.operands.emplace_back(program.inputs[column]);
    }
    std::ranges::sort(equation.operands);
    direct.equations.push_back(std::move(equation));
  }
  return direct;
}

void check_options(const KernelOptions& options) {
  if (options.vector_bytes != 4 && options.vector_bytes != 8) {
    fail(Status::kInvalidArgument,
         fmt::format("vectors of {} bytes are not of 4 or 8", options.vector_bytes));
  }
  if (options.name) check_name(*options.name);
}

}  // namespace

KernelText emit_kernel(const Code& code, const NamedProgram& named, const KernelOptions& options) {
  check_options(options);
  check_name(named.name);
  if (code.arrangement != Arrangement::kPacket) {
    fail(Status::kUnsupported, "no kernel is written for codes on words");
  }
  require_xors(named.program, "a kernel on packets");
  KernelText kernel;
  kernel.entry = fmt::format("{}_{}", file_prefix(code, options.name), named.name);
  kernel.chunks = locations_touched(named.program);
  kernel.vector_bytes = kernel.item_columns = options.vector_bytes;
  const std::string lines = write_accumulators(without_temporaries(named.program), kernel.chunks);
  kernel.source = write_prelude(options.language, options.vector_bytes) + define_packets(code) +
                  write_kernel(options.language, kernel,
                               write_packet_place(code, options.vector_bytes) + lines);
  return kernel;
}

}  // namespace xorloom
