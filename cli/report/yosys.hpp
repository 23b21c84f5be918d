#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace xorloom::cli {

// Synthesis of Verilog designs with the program yosys, if it is installed.

/// Synthesis script of yosys.
enum class YosysFlow {
  kIce40,  ///< synth_ice40: iCE40 FPGAs, with lookup tables of 4 inputs
  kLut6    ///< synth -lut 6: any FPGA with lookup tables of 6 inputs
};

/// Cells of a synthesised design.
struct Synthesis {
  std::string version;        ///< "Yosys 0.23 (git sha1 …)"
  std::size_t tables = 0;     ///< lookup tables of the flow's size
  std::size_t registers = 0;  ///< all other cells: registers of one bit
};

/// True if yosys is on the PATH.
bool has_yosys();

/// Synthesises `module` of the Verilog text `design`. nullopt if yosys fails.
///
/// Errors: throws kIo if the temporary files cannot be written.
std::optional<Synthesis> synthesise(const std::string& design, const std::string& module,
                                    YosysFlow flow);

}  // namespace xorloom::cli
