#pragma once

#include <cstddef>

#include "runtime/engine/executor.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/machine/cache_sizes.hpp"
#include "runtime/machine/stores.hpp"

namespace xorloom {

/// Properties of a machine that choices depend on. A value, so that any machine can be asked about.
struct Machine {
  CacheSizes caches;
  std::size_t cores;
};

/// The machine of this process.
const Machine& this_machine();

/// Bytes of a stripe, read and written, above which stores past the caches are faster. The limit is
/// half of what one core can use of L3, since written bytes do not stay there until they are read.
/// If a virtual machine is told of its part of a large, far L3, data that leaves L2 gains nothing
/// from it: then the limit is L2.
std::size_t non_temporal_bytes(const Machine& machine);

Stores stores_for(const Machine& machine, std::size_t stripe_bytes);

/// True if streams that begin at the same place of a page may need a kernel of their own: always if
/// L1 has eight ways; with more ways, if more streams are read than all ways but two hold. With
/// twelve ways and AVX-512 the usual kernel encoded 8 + 4 to 10 + 4 and 9 + 3 up to 13 % faster
/// than that for crowded sets, and 10 + 2 as fast. Past ten it depended on the code: 12 + 4 was
/// faster by as much, and 12 + 2 slower.
bool wants_crowded_kernel(const Machine& machine, std::size_t streams_read);

/// Most XORs of direct equations for which iterative ones are searched without being asked for:
/// some milliseconds of search.
inline constexpr std::size_t kQuicklyShared = 8192;

/// kDirect or kIterative. kAuto decides by the XORs of the direct equations.
EquationForm form_for(EquationForm asked, std::size_t direct_xors);

/// Columns from which on `auto` shares a computation between threads; see kWorkWorthSharing. `cost`
/// is Computation::cost, that of a column.
std::size_t columns_worth_sharing(const Execution& execution, std::size_t cost);

/// True if `auto` makes a plan for cores for a computation that kernels run. Cores of a plan
/// compute fewer outputs each: their machine code may be short enough even if that of the whole is
/// too long. Without machine code, one tile alone has to be worth sharing.
bool is_worth_a_plan(const Computation& computation, const Execution& execution,
                     bool can_have_code);

/// True if `auto` runs the plan that was made on `columns` columns: always if its cores have
/// machine code, else if there are fewer tiles than threads. In all other cases ranges were
/// measured to be faster.
bool is_plan_faster(const TaskGraph& graph, std::size_t columns, std::size_t threads);

/// Number of threads with which execute() computes `columns` columns.
std::size_t threads_for(const Machine& machine, const Execution& execution, std::size_t cost,
                        std::size_t columns);

}  // namespace xorloom
