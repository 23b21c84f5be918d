#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace xorloom::cli {

// What yosys, a synthesiser, makes of a design in Verilog, where it is installed.

/// A recipe of yosys.
enum class YosysFlow {
  kIce40,  ///< synth_ice40: for FPGAs of that family, with lookup tables of 4 inputs
  kLut6    ///< synth -lut 6: for any FPGA with lookup tables of 6
};

/// Cells that a design takes.
struct Synthesis {
  std::string version;        ///< "Yosys 0.23 (git sha1 …)"
  std::size_t tables = 0;     ///< lookup tables
  std::size_t registers = 0;  ///< of a bit each
};

/// Whether yosys is on the PATH.
bool has_yosys();

/// What yosys makes of a module of a design. Answer: none if it fails.
///
/// Errors: throws kIo where there is no room for the files that it reads and writes.
std::optional<Synthesis> synthesise(const std::string& design, const std::string& module,
                                    YosysFlow flow);

}  // namespace xorloom::cli
