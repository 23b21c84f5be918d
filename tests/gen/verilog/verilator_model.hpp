#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/gen/verilog/simulation.hpp"

// Hardware and its testbenches, simulated by Verilator.

namespace xorloom {

/// One Verilator program that runs many testbenches side by side, since a program takes much longer
/// to build than to run.
class VerilatorModel {
 public:
  /// Loops of more than `most_rounds_written_out` rounds are not unrolled, for example those over
  /// lanes: compilers would take minutes. Verilator 5.006 refuses such a loop if it assigns to
  /// arrays at a clock.
  explicit VerilatorModel(std::size_t most_rounds_written_out = 7)
      : most_rounds_written_out_(most_rounds_written_out) {}

  /// Adds a design and its testbench. No two may have a module of the same name.
  void add(const VerilogText& text, const std::string& testbench, const std::string& parameters) {
    const std::string ended = fmt::format("ended_{}", testbenches_.size());
    source_ += text.design;
    // The first that ends may not end the others. Behind its end it has nothing to say.
    source_ += replaced(replaced(text.testbench, "$finish;", fmt::format("all.{} = 1'b1;", ended)),
                        "$stop;", fmt::format("begin if (!all.{}) $stop; end", ended));
    testbenches_.push_back(
        fmt::format("  {} #({}) testbench_{} ();\n", testbench, parameters, testbenches_.size()));
  }

  /// Adds a design and its testbench, which runs for `clocks` clocks.
  void add(const VerilogText& text, const std::string& testbench, std::size_t clocks) {
    add(text, testbench, fmt::format(".CLOCKS({})", clocks));
  }

  /// Builds and runs the program. Empty if all testbenches end with PASS.
  std::string complaint() const {
    const TemporaryFolder folder;
    folder.write("all.v", source());
    // Parts that all programs share are compiled once, for the first program.
    static const TemporaryFolder common;
    const std::string complaint = complaint_of(
        folder,
        fmt::format(
            "verilator --cc --exe --main --timing -O0 -fgate -Wno-fatal --unroll-count {2} "
            "--top all all.v >build 2>&1 && cp -r '{0}'/. obj_dir && make -C obj_dir -f Vall.mk "
            "OPT_FAST=-O{1} OPT_SLOW=-O0 OPT_GLOBAL=-O0 >>build 2>&1 && cp obj_dir/verilated*.o "
            "'{0}' || {{ cat build; exit 1; }}; obj_dir/Vall >said || {{ cat said; exit 1; }}",
            common.path().string(), hardware_clocks() == 0 ? 0 : 1, most_rounds_written_out_));
    if (!complaint.empty()) return complaint;
    const std::string said = folder.read("said");
    std::size_t passes = 0;
    for (std::size_t at = 0; (at = said.find("PASS: ", at)) != std::string::npos; ++at) ++passes;
    return passes < testbenches_.size() ? "not every testbench passes:\n" + said : "";
  }

 private:
  static std::string replaced(const std::string& text, std::string_view from,
                              const std::string& to) {
    std::string result;
    std::size_t start = 0;
    for (std::size_t at = 0; (at = text.find(from, start)) != std::string::npos;) {
      result.append(text, start, at - start).append(to);
      start = at + from.size();
    }
    return result.append(text, start);
  }

  std::string source() const {
    std::string text = source_ + "module all;\n";
    std::string ends;
    for (std::size_t i = 0; i < testbenches_.size(); ++i) {
      text += fmt::format("  reg ended_{} = 1'b0;\n{}", i, testbenches_[i]);
      ends += fmt::format("{}ended_{}", i == 0 ? "" : ", ", i);
    }
    return text + fmt::format(
                      "  wire all_ended = &{{{}}};\n"
                      "  always @(posedge all_ended) $finish;\nendmodule\n",
                      ends);
  }

  std::size_t most_rounds_written_out_;
  std::string source_;
  std::vector<std::string> testbenches_;
};

}  // namespace xorloom
