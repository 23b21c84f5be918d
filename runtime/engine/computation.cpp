#include "runtime/engine/computation.hpp"

#include "equations/build/direct.hpp"

namespace xorloom {

Computation::Engine Computation::engine_for(const Code& code, const Program& program, Isa isa,
                                            const JitOptions& options) {
  if (program.is_xor()) return PacketKernels(code, program, isa, options);
  return WordKernels(code, program, isa, options);
}

Computation::Computation(const Code& code, const Program& program, Isa isa,
                         const JitOptions& options)
    : engine_(engine_for(code, program, isa, options)) {}

Computation::Computation(const Code& code, const LinearMap& map, Isa isa, const JitOptions& options)
    : Computation(code, direct_symbols(code, map), isa, options) {}

std::size_t Computation::columns(std::size_t chunk_bytes) const noexcept {
  const PacketKernels* p = packets();
  return p != nullptr ? p->columns(chunk_bytes) : words()->columns(chunk_bytes);
}

std::size_t Computation::column_multiple() const noexcept {
  const PacketKernels* p = packets();
  return p != nullptr ? p->column_multiple() : words()->column_multiple();
}

void Computation::run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin,
                      std::size_t end, Stores stores) const noexcept {
  if (const PacketKernels* p = packets()) return p->run(chunks, begin, end, stores);
  words()->run(chunks, chunk_bytes, begin, end, stores);
}

std::size_t Computation::num_steps() const noexcept {
  const PacketKernels* p = packets();
  return p != nullptr ? p->num_steps() : words()->num_steps();
}

std::size_t Computation::step_cost(std::size_t step) const noexcept {
  const PacketKernels* p = packets();
  return p != nullptr ? p->step_cost(step) : words()->step_cost(step);
}

const std::vector<std::pair<std::uint32_t, std::uint32_t>>& Computation::dependencies()
    const noexcept {
  const PacketKernels* p = packets();
  return p != nullptr ? p->dependencies() : words()->dependencies();
}

std::size_t Computation::scratch_bytes(std::size_t num_columns) const noexcept {
  const PacketKernels* p = packets();
  return p != nullptr ? p->scratch_bytes(num_columns) : words()->scratch_bytes(num_columns);
}

void Computation::run_steps(std::size_t first, std::size_t last, std::uint8_t* const* chunks,
                            std::size_t chunk_bytes, std::size_t begin, std::size_t end,
                            std::uint8_t* scratch) const noexcept {
  if (const PacketKernels* p = packets()) {
    return p->run_steps(first, last, chunks, begin, end, scratch);
  }
  words()->run_steps(first, last, chunks, chunk_bytes, begin, end, Stores::kOrdinary, scratch);
}

std::size_t Computation::memory_bytes() const noexcept {
  const PacketKernels* p = packets();
  return p != nullptr ? p->memory_bytes() : words()->memory_bytes();
}

Computation Computation::with_packet_bytes(std::size_t packet_bytes) const {
  return Computation(packets()->with_packet_bytes(packet_bytes));
}

}  // namespace xorloom
