#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace xorloom::cli {

/// A subcommand: what the parser knows of it, and what it does once its options are read.
struct Command {
  CLI::App* app;
  std::function<void()> run;
};

// Each adds its subcommand to the program.
Command add_codes(CLI::App& program);
Command add_equations(CLI::App& program);
Command add_optimize(CLI::App& program);
Command add_emit(CLI::App& program);
Command add_report(CLI::App& program);
Command add_atlas(CLI::App& program);
Command add_encode(CLI::App& program);
Command add_decode(CLI::App& program);
Command add_repair(CLI::App& program);
Command add_verify(CLI::App& program);
Command add_info(CLI::App& program);
Command add_bench(CLI::App& program);

}  // namespace xorloom::cli
