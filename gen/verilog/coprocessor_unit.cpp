#include "gen/verilog/coprocessor_unit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "equations/build/direct.hpp"
#include "gen/verilog/coprocessor.hpp"
#include "gen/verilog/coprocessor_testbench.hpp"
#include "gen/verilog/verilog_names.hpp"

namespace xorloom {

VerilogText write_coprocessor_unit(const VerilogRequest& request) {
  const Code& code = request.code;
  const std::string module = verilog_prefix(code, request.name) + "_coprocessor";
  std::vector<NamedMap> maps{{"encode", encoding_map(code)}};
  for (const std::vector<std::size_t>& lost : request.erasures) {
    std::string name = fmt::format("decode_{}", fmt::join(lost, "_"));
    if (!request.wanted.empty()) name += fmt::format("_want_{}", fmt::join(request.wanted, "_"));
    maps.push_back({std::move(name), decoding_map(code, lost, request.wanted)});
  }
  const CoprocessorShape shape{.rows = request.array.rows,
                               .columns = request.array.columns,
                               .tiles = request.tiles,
                               .lanes = request.lanes};
  const Coprocessor coprocessor = tiled_coprocessor(module, code, maps, shape);
  VerilogText text{write_coprocessor(code, coprocessor, request.memory_file),
                   write_coprocessor_testbench(code, coprocessor)};
  if (request.memory_file) text.memory = write_matrix_memory(code, coprocessor);
  return text;
}

}  // namespace xorloom
