#include "equations/passes/pass_table.hpp"

#include <array>

#include "equations/passes/fuse.hpp"
#include "equations/passes/row_forms.hpp"
#include "equations/passes/share_terms.hpp"

namespace xorloom {
namespace {

constexpr std::array kForms = {
    Pass{"row_differences", [](const Program& program) { return row_differences(program); },
         "first, as it changes the fewest equations: a row is another one and what differs"},
    Pass{"factor_rows", factor_rows,
         "after differences, as its two stages pay only where rows have a structure that those "
         "miss"},
};

constexpr std::array kFinishing = {
    Pass{"fuse_single_use", fuse_single_use,
         "last, as sharing works on two-input XORs: a sum that is read once becomes part of its "
         "reader"},
};

constexpr std::array kOfSymbols = {
    Pass{"share_terms", share_terms,
         "first, as there is no search over symbols: common pairs of terms are computed once"},
    kFinishing.front(),
};

}  // namespace

std::span<const Pass> forms() { return kForms; }

std::span<const Pass> finishing_passes() { return kFinishing; }

std::span<const Pass> symbol_passes() { return kOfSymbols; }

}  // namespace xorloom
