#pragma once

#include <vector>

#include "cli/shell/search_options.hpp"
#include "cli/shell/stored_equations.hpp"
#include "codes/code.hpp"
#include "codes/field/bitmatrix.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/files/in_place_file.hpp"
#include "equations/request/request.hpp"

namespace xorloom::cli {

/// Searches iterative equations that answer `question`, with plans if `options` have cores. Returns
/// one set, or all sets of the front. Shows progress. Ends if the time is over, or at Ctrl-C.
///
/// Stored equations are returned if no search is needed: as much effort was spent on them, or no
/// circuit has fewer XORs. Else the search starts from them if possible, and the store keeps the
/// better. A note names the request, and says where the result is from. Stores are not used for
/// fronts and for plans for this machine.
std::vector<EquationFile> run_search(const SearchOptions& options, const StoreQuestion& question);

/// Searches a circuit in place of a matrix (search_in_place). Shows a progress line and ends as
/// run_search() does.
InPlaceFile run_search_in_place(const SearchOptions& options, const BitMatrix& matrix);

/// Adds the plan that `options` ask for, if any: of single XORs, or of whole equations (--atomic).
/// For --model machine it also replaces the equations by equal ones.
void plan_on_cores(const SearchOptions& options, EquationFile& file);

/// Proved equations of `code` for `request`, in the style of `options`: one set, or all sets of the
/// front.
std::vector<EquationFile> equations_in_style(const SearchOptions& options, const Code& code,
                                             const Request& request);

}  // namespace xorloom::cli
