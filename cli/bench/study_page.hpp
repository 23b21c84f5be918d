#pragma once

#include <string>
#include <vector>

#include "cli/bench/executors.hpp"
#include "cli/bench/study.hpp"
#include "cli/measuring/machine_facts.hpp"

namespace xorloom::cli {

/// What a study found of a code.
struct StudyOfCode {
  std::string spec;
  StudyResult result;
};

/// The pictures of all, as one.
std::string study_svg(const std::vector<StudyOfCode>& all);

/// The pictures and the tables of all, and the machine, as a page that loads nothing.
std::string study_page(const Study& study, const std::vector<StudyOfCode>& all,
                       const SystemDescription& machine, const MachineFacts& facts);

/// The same of executors side by side.
std::string executors_page(const std::vector<ExecutorComparison>& comparisons,
                           const SystemDescription& machine, const MachineFacts& facts);

}  // namespace xorloom::cli
