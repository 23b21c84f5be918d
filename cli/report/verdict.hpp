#pragma once

#include <set>
#include <span>
#include <string>
#include <utility>

#include "cli/report/report.hpp"

namespace xorloom::cli {

/// The instruction sets and arrangements of which a verdict has named the error of predictions.
using NamedErrors = std::set<std::pair<Isa, Arrangement>>;

/// Summarises the sets of a code in a few sentences, each with the number of the best set: XORs and
/// their bound, steps on the most cores, reads, tables of an engine, and speed. The speed is
/// measured, else predicted; measured speeds within 3 % are a tie.
///
/// A predicted speed comes with the error of predictions, unless `named` has it; then adds it there.
/// Precondition: `sets` is not empty; all are of one code of `report`.
std::string verdict_of(const Report& report, std::span<const ReportSet> sets, NamedErrors& named);

/// The set with the fewest steps on the most cores, and its entry for these cores. If no set has
/// `on_cores`, the set with the fewest XORs and null.
std::pair<const ReportSet*, const CoresCost*> fewest_steps(std::span<const ReportSet> sets);

}  // namespace xorloom::cli
