#pragma once

#include "cli/shell/command.hpp"

namespace xorloom::cli {

// Each function makes one command of the program; `run` owns the values that its options set.
Command codes_command();
Command equations_command();
Command optimize_command();
Command emit_command();
Command report_command();
Command atlas_command();
Command encode_command();
Command decode_command();
Command patch_command();
Command append_command();
Command truncate_command();
Command convert_command();
Command protect_command();
Command repair_command();
Command repair_plan_command();
Command verify_command();
Command info_command();
Command bench_command();
Command model_command();
Command serve_command();

}  // namespace xorloom::cli
