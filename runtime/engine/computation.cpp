#include "runtime/engine/computation.hpp"

#include <fmt/format.h>

#include <utility>

#include "equations/ir/cost.hpp"
#include "gen/vector/machine_code.hpp"
#include "runtime/engine/packet_kernels.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/engine/word_kernels.hpp"

namespace xorloom {
namespace {

/// A program as machine code, which computes the whole tiles of a range. Kernels compute the rest
/// of the range.
class CodeAndKernels final : public Computation {
 public:
  /// Shape: both are made of the same code and program.
  CodeAndKernels(ProgramCode tiles, std::unique_ptr<const Computation> kernels)
      : tiles_(std::move(tiles)), kernels_(std::move(kernels)) {}

  void run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin, std::size_t end,
           Stores stores) const noexcept override {
    run_looking(chunks, chunk_bytes, begin, end, stores, Looks::kYes);
  }

  bool are_crowded(std::uint8_t* const* chunks, std::size_t chunk_bytes) const noexcept override {
    return tiles_.looks_at_addresses() && tiles_.are_crowded(chunks, chunk_bytes);
  }

  void run_uncrowded(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin,
                     std::size_t end, Stores stores) const noexcept override {
    run_looking(chunks, chunk_bytes, begin, end, stores, Looks::kNo);
  }

  const TileCounts& counts() const noexcept override { return tiles_.counts(); }
  CodeMemory code_memory() const noexcept override { return tiles_.code_memory(); }

  std::size_t memory_bytes() const noexcept override {
    return sizeof *this + tiles_.code_bytes() + kernels_->memory_bytes();
  }

  std::size_t columns(std::size_t chunk_bytes) const noexcept override {
    return kernels_->columns(chunk_bytes);
  }
  std::size_t column_multiple() const noexcept override { return kernels_->column_multiple(); }
  std::size_t tile_columns() const noexcept override { return tiles_.tile_bytes(); }
  std::size_t cost() const noexcept override { return kernels_->cost(); }
  LoopSizes loop_sizes() const noexcept override { return kernels_->loop_sizes(); }
  bool looks_at_addresses() const noexcept override { return tiles_.looks_at_addresses(); }
  std::optional<std::string> find_wrong_product(const Field& field) const override {
    return kernels_->find_wrong_product(field);
  }

 private:
  void run_looking(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin,
                   std::size_t end, Stores stores, Looks looks) const noexcept {
    const ColumnRange whole = tiles_.whole_tiles(begin, end);
    run_rest(chunks, chunk_bytes, {begin, whole.begin});
    tiles_.run(chunks, chunk_bytes, whole, stores, looks);
    run_rest(chunks, chunk_bytes, {whole.end, end});
  }

  void run_rest(std::uint8_t* const* chunks, std::size_t chunk_bytes,
                ColumnRange rest) const noexcept {
    if (rest.begin == rest.end) return;
    kernels_->run(chunks, chunk_bytes, rest.begin, rest.end, Stores::kOrdinary);
  }

  ProgramCode tiles_;
  std::unique_ptr<const Computation> kernels_;
};

}  // namespace

std::unique_ptr<const Computation> make_computation(const Code& code, const Program& program,
                                                    Isa isa, const JitOptions& options) {
  auto tiles = ProgramCode::make(code, program, isa, options);
  std::unique_ptr<const Computation> kernels;
  if (program.is_xor()) {
    kernels = std::make_unique<const PacketKernels>(code, program, isa);
  } else {
    kernels = std::make_unique<const WordKernels>(code, program, isa);
  }
  if (!tiles) return kernels;
  return std::make_unique<const CodeAndKernels>(*std::move(tiles), std::move(kernels));
}

std::string why_kernels(const Code& code, const Program& program, Isa isa,
                        const JitOptions& options) {
  if (const auto why = ProgramCode::why_none(code, program, isa, options)) return *why;
  if (!program.is_xor()) return fmt::format("the code would exceed {} bytes", kMostCodeBytes);
  if (xors(program) > kMostXorsOfParts) {
    return fmt::format("{} XORs exceed {}", xors(program), kMostXorsOfParts);
  }
  return fmt::format("the code would exceed {} bytes, and has no place to cut it", kMostCodeBytes);
}

}  // namespace xorloom
