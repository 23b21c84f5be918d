#pragma once

#include "cli/shell/command.hpp"

namespace xorloom::cli {

// Commands of xorloom-lab, for studies and for figures of papers.
Command study_command();
Command executors_command();
Command compare_command();
Command paper_figure_command();
Command banks_command();
Command zigzag_unit_command();

}  // namespace xorloom::cli
