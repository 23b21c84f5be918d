#include "equations/passes/pass_table.hpp"

#include <array>

#include "codes/text/error.hpp"
#include "equations/ir/proof.hpp"
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

template <typename AnyMatrix>
Program proved_result(const Pass& pass, const Program& program, const AnyMatrix& matrix) {
  Program result = pass.run(program);
  try {
    check_program(result);
    prove(result, matrix);
  } catch (const Error& error) {
    fail(Status::kInternal, "the pass {} is wrong: {}", pass.name, error.what());
  }
  return result;
}

}  // namespace

std::span<const Pass> forms() { return kForms; }

std::span<const Pass> finishing_passes() { return kFinishing; }

std::span<const Pass> symbol_passes() { return kOfSymbols; }

Program proved_pass(const Pass& pass, const Program& program, const BitMatrix& matrix) {
  return proved_result(pass, program, matrix);
}

Program proved_pass(const Pass& pass, const Program& program, const Matrix& matrix) {
  return proved_result(pass, program, matrix);
}

}  // namespace xorloom
