#pragma once

#include <cstddef>

#include "runtime/engine/executor.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/machine/cache_sizes.hpp"
#include "runtime/machine/stores.hpp"

namespace xorloom {

/// What choices depend on. A value, so that any machine can be asked about.
struct Machine {
  CacheSizes caches;
  std::size_t cores;
};

/// This one.
const Machine& this_machine();

/// Bytes of a stripe, all that is read and written, from which on stores past the caches are
/// faster: half of what one core can use of L3, since what is written does not stay there until it
/// is read. Where L3 is the part of a large, far one that a virtual machine is told of, what leaves
/// L2 gains nothing from it, and it is L2.
std::size_t non_temporal_bytes(const Machine& machine);

Stores stores_for(const Machine& machine, std::size_t stripe_bytes);

/// Whether streams that begin at the same place of a page may need a kernel of their own: always
/// where the first cache has eight ways, and where it has more, if more are read than its ways but
/// two hold. With twelve ways and AVX-512 the usual kernel encoded 8 + 4 to 10 + 4 and 9 + 3 up to
/// 13 % faster than that for crowded sets, and 10 + 2 as fast. Past ten it depended on the code:
/// 12 + 4 was faster by as much, and 12 + 2 slower.
bool wants_crowded_kernel(const Machine& machine, std::size_t streams_read);

/// Iterative equations are looked for without being asked where the direct ones have no more XORs
/// than this: some milliseconds of search.
inline constexpr std::size_t kQuicklyShared = 8192;

/// kDirect or kIterative for equations that have that many XORs as direct ones.
EquationForm form_for(EquationForm asked, std::size_t direct_xors);

/// Columns from which on `auto` shares a computation of such a cost between threads; see
/// kWorkWorthSharing. The cost of a column is Computation::cost.
std::size_t columns_worth_sharing(const Execution& execution, std::size_t cost);

/// Whether `auto` has a plan for cores made for a computation that kernels run. Cores of a plan
/// compute fewer outputs each: their machine code may be short enough where that of the whole is
/// too long, if machine code can be had. If it is not, one tile alone has to be worth sharing.
bool is_worth_a_plan(const Computation& computation, const Execution& execution,
                     bool can_have_code);

/// Whether `auto` runs the plan that was made, on that many columns: if its cores have machine code,
/// always, and else where there are fewer tiles than threads. Ranges are measured to be faster in
/// all other places.
bool is_plan_faster(const TaskGraph& graph, std::size_t columns, std::size_t threads);

/// The threads that compute that many columns: what execute does.
std::size_t threads_for(const Machine& machine, const Execution& execution, std::size_t cost,
                        std::size_t columns);

}  // namespace xorloom
