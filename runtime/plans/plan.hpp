#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/core_schedule.hpp"
#include "gen/vector/machine_program.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/engine/executor.hpp"
#include "runtime/engine/graph_run.hpp"
#include "runtime/engine/plan_options.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

class DeviceChoice;
class DeviceComputation;

struct Plan::Impl {
  std::unique_ptr<const Computation> computation;
  std::unique_ptr<SpareRuns> graph_runs;  ///< null: the executor runs no graph
  Execution execution;
  std::size_t chunk_multiple;         ///< chunk_bytes on devices is a multiple
  std::size_t stripe_multiple;        ///< chunk_bytes elsewhere is a multiple
  std::size_t plane_block_bytes = 0;  ///< see ShortBlock
  std::vector<std::size_t> reads;     ///< locations, ascending
  std::vector<std::size_t> writes;    ///< locations, ascending
  std::vector<std::size_t> needed;    ///< locations read or written, ascending
  /// By location of `reads`: the units that are read, ascending. Units are rows if the code lies in
  /// packets, sub-chunks if it lies in words. Quick plans have none.
  std::vector<std::vector<std::uint32_t>> units;
  /// By location of `writes`: the units that are computed, and the units that are set to zero. The
  /// latter are all others in a plan of a part; else there are none.
  std::vector<std::vector<std::uint32_t>> written{};
  std::vector<std::vector<std::uint32_t>> cleared{};
  std::size_t units_of_chunk = 0;
  std::size_t packet_bytes = 0;  ///< 0: units lie as words do
  std::size_t locations = 0;
  /// The computation, if devices run it; else null.
  const DeviceComputation* on_devices = nullptr;
  /// Why no device runs this plan, in a sentence, if the executor runs on devices; else empty.
  std::string why_no_device{};
  /// Choice between threads and devices, if the executor is `auto` and a device may pay; else null.
  std::shared_ptr<DeviceChoice> choice{};
};

/// Makes plans and reads what is in them, within the library.
struct PlanAccess {
  using Impl = Plan::Impl;
  static Plan plan_of(Impl impl) { return Plan(std::make_shared<const Impl>(std::move(impl))); }
  static const Impl& impl_of(const Plan& plan) noexcept { return *plan.impl_; }
};

/// A plan that computes a map of a code: by equations if the code lies in packets, by the map
/// itself if it lies in words. All that it runs is proved, and accepted on this machine.
///
/// If the engine is `auto` and machine code is refused, kernels run in its place.
///
/// Errors: throws kInternal if a proof fails or a kernel is not accepted, kUnsupported if the
///         equations are too many.
Plan make_plan(const Code& code, const LinearMap& map, const PlanOptions& options);

/// Kernels for the rows of a map of a code, which they read as data. Not proved.
///
/// Errors: throws kUnsupported if there are too many rows.
std::unique_ptr<const Computation> kernels_of_rows(const Code& code, const LinearMap& map, Isa isa);

/// A plan of a computation that was proved and accepted before. It does not know its units
/// (Plan::units_read).
///
/// Shape: `cells` has the inputs and outputs of `computation`; its coefficients are not used.
Plan make_proved_plan(const Code& code, const LinearMap& cells, const PlanOptions& options,
                      std::unique_ptr<const Computation> computation);

/// A plan that runs a given program. Its machine code follows `order` if it is not null (see
/// proved_order), and executor `plan` follows `on_cores` if it is not null. All are proved as if
/// they came from anyone, and what runs is accepted.
///
/// Shape:  the program reads and writes whole cells of the code. It is one over bits if the code
///         lies in packets, and one over the code's symbols if it lies in words.
/// Errors: throws kDamaged if the program is not, or if `order` is not an order of it; kParse if
///         `on_cores` is not a plan of it; else as make_plan for a map.
Plan make_plan(const Code& code, const Program& program, const PlanOptions& options,
               const std::shared_ptr<const Program>& order = nullptr,
               const CoreSchedule* on_cores = nullptr);

/// Plans of parts that add up to a map of a code, cell by cell; an output that a part lacks counts
/// as zero in it. A part's plan writes whole chunks: units in which the part has no outputs become
/// zero. Proved are the map against the code, that the parts add up to it, and the equations of
/// each part; what runs is accepted, as in every plan.
///
/// Shape:  returns plans of the first `count` parts, or of all if there are fewer.
/// Errors: as make_plan.
std::vector<Plan> make_part_plans(const Code& code, const LinearMap& whole,
                                  const std::vector<LinearMap>& parts, const PlanOptions& options,
                                  std::size_t count = std::numeric_limits<std::size_t>::max());

/// Finds equations of a map of a code in packets, and the order in which machine code computes
/// them. Takes them from the store (PlanOptions::wisdom) if it has them with at least the effort
/// that the options ask for. Else searches, beginning with equations of few XORs that the store
/// has. The store keeps what more than a fast search has found. All that comes from it is proved.
/// Direct equations and those for kernels have no order.
///
/// Errors: as direct_program and optimize.
OrderedProgram tuned_program(const Code& code, const LinearMap& map, const PlanOptions& options);

/// A computation and its program, proved; not accepted yet. The program of transforms, and of rows
/// that are not written, has no equations.
struct ProvedComputation {
  std::unique_ptr<const Computation> computation;
  OrderedProgram program;
};

/// The computation of a proved map of a code. In packets it runs the tuned_program; rows that take
/// more than kMaxDirectXors are not written, and kernels read them from the map. In words it is
/// additive Fourier transforms if transform_computation makes them, else the program that
/// word_choice chooses.
///
/// `is_part`: the map is a part of one of the code. In words its rows run as they are.
ProvedComputation proved_computation(const Code& code, const LinearMap& map,
                                     const PlanOptions& options, bool is_part = false);

/// Throws kUnsupported with the reason if the options ask for machine code and the computation of
/// `program` has none.
void check_engine(const Code& code, const Program& program, const Computation& computation,
                  const PlanOptions& options);

/// The task graph of a program that the options' executor runs: groups of equations, or the parts
/// of a plan for cores. nullopt if the executor runs no graph, or if there is only one core.
///
/// Shape:  the program computes the map, and the computation is of the program. `on_cores` is a
///         checked plan of the program for cores. Null: one is made, with a core for each thread of
///         `options`. is_accepted: the graph is accepted, as what runs has to be.
/// Errors: throws kInternal if the parts are not proved or not accepted.
std::optional<TaskGraph> task_graph_of(const Code& code, const LinearMap& map,
                                       const Program& program, const Computation& computation,
                                       const CoreSchedule* on_cores, const PlanOptions& options,
                                       bool is_accepted);

/// Plan::run in two steps, for calls that check many stripes before they run the first.
/// check_chunks checks the pointers; run_checked runs a stripe whose check returned kOk.
///
/// Shape:  chunk_bytes is a multiple of plan.stripe_multiple, and not 0.
/// Errors: those of Plan::run.
Status check_chunks(const PlanAccess::Impl& plan, std::uint8_t* const* chunks,
                    std::size_t chunk_bytes) noexcept;
Status run_checked(const PlanAccess::Impl& plan, std::uint8_t* const* chunks,
                   std::size_t chunk_bytes) noexcept;

/// Approximate bytes of memory of a plan.
std::size_t memory_bytes(const Plan& plan);

}  // namespace xorloom
