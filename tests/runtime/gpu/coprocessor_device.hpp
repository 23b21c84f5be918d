#pragma once

#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <stdexcept>
#include <utility>

#include "codes/text/error.hpp"
#include "gen/verilog/coprocessor.hpp"
#include "tests/runtime/gpu/device_scene.hpp"
#include "tests/support/compilers.hpp"

// The coprocessor in Verilog as a device: Verilator simulates it in a process of its own.

namespace xorloom {

/// Rows and columns of the array, and tiles of the matrix memory.
inline constexpr CoprocessorShape kSimulatedArray = {8, 8, 64, 1};

/// The simulation: it takes requests {kind, a, b, c} of 32 bits each.
///
///     1  loads tile a: 8 rows of 8 factors follow
///     2  computes a words of b slices each, by the tiles from 0 on: the slices follow. It answers
///        with the clocks that all since the last answer has taken, and with the results
///     3  ends as if it crashed, once a more words are computed
inline constexpr const char* kSimulation = R"(
#include <unistd.h>
#include <cstdint>
#include <cstdlib>
#include <vector>
#include <Vcoprocessor.h>
double sc_time_stamp() { return 0; }
static Vcoprocessor unit;
static std::uint64_t clocks = 0;
static void edge() {
  unit.clk = 1;
  unit.eval();
  unit.clk = 0;
  unit.eval();
  ++clocks;
}
static void get(void* to, std::size_t bytes) {
  for (char* at = static_cast<char*>(to); bytes != 0;) {
    const ssize_t got = ::read(0, at, bytes);
    if (got <= 0) ::_exit(0);
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
}
static void put(const void* from, std::size_t bytes) {
  for (const char* at = static_cast<const char*>(from); bytes != 0;) {
    const ssize_t gone = ::write(1, at, bytes);
    if (gone <= 0) ::_exit(0);
    at += gone;
    bytes -= static_cast<std::size_t>(gone);
  }
}
int main() {
  std::uint64_t left = UINT64_MAX;
  unit.reset = 1;
  for (int i = 0; i < 3; ++i) edge();
  unit.reset = 0;
  for (;;) {
    std::uint32_t request[4];
    get(request, sizeof request);
    if (request[0] == 1) {
      std::uint64_t rows[8];
      get(rows, sizeof rows);
      unit.load = 1;
      unit.load_tile = request[1];
      for (int r = 0; r < 8; ++r) {
        unit.load_row = r;
        unit.in = rows[r];
        edge();
      }
      unit.load = 0;
    } else if (request[0] == 2) {
      const std::size_t words = request[1];
      std::vector<std::uint64_t> slices(words * request[2]);
      get(slices.data(), slices.size() * 8);
      std::vector<std::uint64_t> answer{0};
      const auto take = [&] {
        edge();
        if (!unit.out_valid) return;
        answer.push_back(unit.out);
        if (left-- == 0) ::_exit(3);
      };
      unit.first_tile = 0;
      unit.last_column = request[2] - 1;
      unit.in_valid = 1;
      for (const std::uint64_t slice : slices) {
        unit.in = slice;
        take();
      }
      unit.in_valid = 0;
      for (int i = 0; i < 64 && answer.size() <= words; ++i) take();
      answer[0] = clocks;
      clocks = 0;
      put(answer.data(), answer.size() * 8);
    } else {
      left = request[1];
    }
  }
}
)";

/// The folder of the simulation, which is built once; empty with a complaint if it cannot be built.
inline const TemporaryFolder& simulation_folder(std::string& complaint) {
  static const TemporaryFolder folder;
  static const std::string what_went_wrong = [] {
    const Code code = make_code("rs:k=10,m=4");
    const CoprocessorRequest request{.code = code, .shape = kSimulatedArray, .name = "simulated"};
    folder.write("coprocessor.v", write_coprocessor(request).design);
    folder.write("main.cpp", kSimulation);
    return complaint_of(
        folder,
        "verilator --cc --exe -O3 -Wno-fatal --prefix Vcoprocessor --top-module "
        "xl_simulated_coprocessor coprocessor.v main.cpp >build 2>&1 && make -C obj_dir -f "
        "Vcoprocessor.mk OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1 >>build 2>&1 || "
        "{ cat build; exit 1; }");
  }();
  complaint = what_went_wrong;
  return folder;
}

/// A process that simulates. Its functions throw kUnsupported if it has ended.
class CoSimulation {
 public:
  CoSimulation() {
    std::string complaint;
    const std::string program = (simulation_folder(complaint).path() / "obj_dir" / "Vcoprocessor");
    if (!complaint.empty()) throw std::runtime_error(complaint);
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      throw std::runtime_error("socketpair failed");
    }
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(ends[1], 0);
      ::dup2(ends[1], 1);
      ::execl(program.c_str(), program.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    end_ = ends[0];
  }
  CoSimulation(const CoSimulation&) = delete;
  CoSimulation& operator=(const CoSimulation&) = delete;
  ~CoSimulation() {
    kill();
    ::close(end_);
    ::waitpid(process_, nullptr, 0);
  }

  void kill() const { ::kill(process_, SIGKILL); }

  void put(const void* from, std::size_t bytes) const {
    for (const char* at = static_cast<const char*>(from); bytes != 0;) {
      const ssize_t gone = ::send(end_, at, bytes, MSG_NOSIGNAL);
      if (gone <= 0) fail(Status::kUnsupported, "the co-simulation has ended");
      at += gone;
      bytes -= static_cast<std::size_t>(gone);
    }
  }
  void request(std::uint32_t kind, std::size_t a, std::size_t b = 0) const {
    const std::array<std::uint32_t, 4> words{kind, static_cast<std::uint32_t>(a),
                                             static_cast<std::uint32_t>(b), 0};
    put(words.data(), sizeof words);
  }
  std::vector<std::uint64_t> get(std::size_t words) const {
    std::vector<std::uint64_t> all(words);
    std::size_t bytes = words * sizeof all[0];
    for (auto* at = reinterpret_cast<std::uint8_t*>(all.data()); bytes != 0;) {
      const ssize_t got = ::recv(end_, at, bytes, 0);
      if (got <= 0) fail(Status::kUnsupported, "the co-simulation has ended");
      at += got;
      bytes -= static_cast<std::size_t>(got);
    }
    return all;
  }

 private:
  pid_t process_ = -1;
  int end_ = -1;
};

/// Layout of cells in a kernel's memory.
struct CellPlaces {
  std::size_t rows;          ///< rows of a chunk, or sub-chunks
  std::size_t packet_bytes;  ///< 0 on words

  /// Shape: a cell is chunk · rows + row.
  std::size_t place(std::span<const std::uint64_t> chunks, std::size_t pitch, std::size_t cell,
                    std::size_t column) const {
    const std::size_t chunk = chunks[cell / rows];
    const std::size_t row = cell % rows;
    if (packet_bytes == 0) return chunk + row * pitch + column;
    return chunk + (column / packet_bytes * rows + row) * packet_bytes + column % packet_bytes;
  }
};

/// A kernel as the coprocessor computes it: a matrix over GF(2^8) from cells to cells. The matrix
/// is found by compiling the kernel for the CPU and running it on unit vectors.
struct MatrixOfKernel : DeviceKernel {
  std::vector<std::size_t> inputs;
  std::vector<std::size_t> outputs;
  std::vector<std::vector<std::uint8_t>> factors;  ///< factors[output][input]
};

inline std::shared_ptr<const DeviceKernel> matrix_of_kernel(const CellPlaces& cells,
                                                            const std::string& source,
                                                            const std::string& entry) {
  const TemporaryFolder folder;
  folder.write("kernel.cpp", source);
  const std::string complaint = complaint_of(
      folder, compilers().back().name + " -std=c++17 -shared -fPIC kernel.cpp -o k.so");
  if (!complaint.empty()) fail(Status::kUnsupported, complaint);
  const LoadedLibrary library((folder.path() / "k.so").string());
  auto* const run =
      library.function<void(std::uint8_t*, const std::uint64_t*, std::uint64_t, std::uint64_t)>(
          entry + "_run");
  const std::size_t num_chunks = std::stoul(source.substr(source.find(" at[") + 4));
  const std::size_t columns = cells.packet_bytes == 0 ? 8 : cells.packet_bytes;
  std::vector<std::uint64_t> chunks;
  for (std::size_t c = 0; c < num_chunks; ++c) chunks.push_back(c * cells.rows * columns);
  std::vector<std::uint8_t> memory(num_chunks * cells.rows * columns);
  const auto byte_of = [&](std::size_t cell) -> std::uint8_t& {
    return memory[cells.place(chunks, columns, cell, 0)];
  };
  auto matrix = std::make_shared<MatrixOfKernel>();
  std::mt19937_64 random(3);
  for (std::uint8_t& byte : memory) byte = static_cast<std::uint8_t>(random());
  const std::vector<std::uint8_t> before = memory;
  run(memory.data(), chunks.data(), columns, columns);
  std::vector<std::size_t> others;
  for (std::size_t cell = 0; cell < num_chunks * cells.rows; ++cell) {
    const auto at = static_cast<std::ptrdiff_t>(cells.place(chunks, columns, cell, 0));
    const bool is_same =
        std::equal(memory.begin() + at, memory.begin() + at + static_cast<std::ptrdiff_t>(columns),
                   before.begin() + at);
    (is_same ? others : matrix->outputs).push_back(cell);
  }
  matrix->factors.resize(matrix->outputs.size());
  for (const std::size_t cell : others) {
    std::ranges::fill(memory, std::uint8_t{0});
    byte_of(cell) = 1;
    run(memory.data(), chunks.data(), columns, columns);
    matrix->inputs.push_back(cell);
    for (std::size_t i = 0; i < matrix->outputs.size(); ++i) {
      matrix->factors[i].push_back(byte_of(matrix->outputs[i]));
    }
  }
  if (matrix->outputs.size() > kSimulatedArray.rows ||
      matrix->inputs.size() > kSimulatedArray.tiles * kSimulatedArray.columns) {
    fail(Status::kUnsupported, "the array is too small");
  }
  return matrix;
}

/// The coprocessor for codes on words over GF(2^8) of 0x11d, and for packets, whose XORs are
/// products with 1. It knows where cells of its code lie; all else it learns from kernels.
class CoprocessorDevice final : public Device {
 public:
  explicit CoprocessorDevice(const Code& code)
      : Device("coprocessor of 8 x 8", "Verilator", KernelLanguage::kHost),
        cells_{code.arrangement == Arrangement::kPacket ? code.rows() : code.subchunks,
               code.arrangement == Arrangement::kPacket ? code.packet_bytes : 0} {}

  const CoSimulation& simulation() const { return simulation_; }

  /// Is told of each launch: clocks, and columns.
  mutable std::function<void(std::uint64_t, std::size_t)> computed = [](std::uint64_t,
                                                                        std::size_t) {};

  std::shared_ptr<const DeviceKernel> compile(const std::string& source,
                                              const std::string& entry) const override {
    static std::map<std::string, std::shared_ptr<const DeviceKernel>> known;  // by their text
    auto& kernel = known[source];
    if (kernel == nullptr) kernel = matrix_of_kernel(cells_, source, entry);
    return kernel;
  }
  std::vector<std::uint8_t> binary_of(const DeviceKernel&) const override { return {}; }
  std::shared_ptr<const DeviceKernel> load(std::span<const std::uint8_t>,
                                           const std::string&) const override {
    return nullptr;
  }
  std::unique_ptr<DeviceLane> make_lane(std::size_t bytes) const override {
    return std::make_unique<Lane>(*this, bytes);
  }
  bool copies_directly(const std::uint8_t*) const override { return false; }
  void* allocate_host(std::size_t) const override { return nullptr; }
  void free_host(void*) const override {}
  bool owns(const ForeignMemory&, std::uint64_t) const override { return false; }
  void launch_on(const ForeignMemory&, const KernelLaunch&) const override {}

 private:
  /// Commands are queued until finish().
  class Lane final : public DeviceLane {
   public:
    Lane(const CoprocessorDevice& device, std::size_t bytes)
        : device_(device), here_(bytes), there_(bytes) {}
    std::size_t bytes() const override { return here_.size(); }
    std::uint8_t* host() override { return here_.data(); }
    void copy_in(std::size_t to, const std::uint8_t* from, std::size_t bytes) override {
      waiting_.emplace_back([=, this] { std::memcpy(&there_[to], from, bytes); });
    }
    void copy_out(std::uint8_t* to, std::size_t from, std::size_t bytes) override {
      waiting_.emplace_back([=, this] { std::memcpy(to, &there_[from], bytes); });
    }
    void launch(const KernelLaunch& launch) override {
      const std::vector<std::uint64_t> places(launch.places.begin(), launch.places.end());
      waiting_.emplace_back(
          [this, places, matrix = static_cast<const MatrixOfKernel*>(&launch.kernel),
           pitch = launch.pitch,
           columns = launch.columns] { device_.compute(*matrix, there_, places, pitch, columns); });
    }
    void flush() override {}
    void finish() override {
      for (const auto& step : std::exchange(waiting_, {})) step();
    }

   private:
    const CoprocessorDevice& device_;
    std::vector<std::uint8_t> here_;
    std::vector<std::uint8_t> there_;
    std::vector<std::function<void()>> waiting_;
  };

  void compute(const MatrixOfKernel& matrix, std::vector<std::uint8_t>& memory,
               std::span<const std::uint64_t> chunks, std::size_t pitch, std::size_t columns) const
      try {
    constexpr std::size_t kSide = 8;
    const std::size_t tiles = (matrix.inputs.size() + kSide - 1) / kSide;
    const auto bit_of = [](std::size_t element) { return 8 * (element % kSide); };
    const std::scoped_lock lock(mutex_);
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      std::array<std::uint64_t, kSide> rows{};
      for (std::size_t i = 0; i < matrix.outputs.size(); ++i) {
        for (std::size_t j = tile * kSide; j < std::min((tile + 1) * kSide, matrix.inputs.size());
             ++j) {
          rows[i] |= std::uint64_t{matrix.factors[i][j]} << bit_of(j);
        }
      }
      simulation_.request(1, tile);
      simulation_.put(rows.data(), sizeof rows);
    }
    std::vector<std::uint64_t> slices(columns * tiles);
    for (std::size_t column = 0; column < columns; ++column) {
      for (std::size_t j = 0; j < matrix.inputs.size(); ++j) {
        slices[column * tiles + j / kSide] |=
            std::uint64_t{memory[cells_.place(chunks, pitch, matrix.inputs[j], column)]}
            << bit_of(j);
      }
    }
    simulation_.request(2, columns, tiles);
    simulation_.put(slices.data(), slices.size() * sizeof slices[0]);
    const std::vector<std::uint64_t> answer = simulation_.get(1 + columns);
    for (std::size_t column = 0; column < columns; ++column) {
      for (std::size_t i = 0; i < matrix.outputs.size(); ++i) {
        memory[cells_.place(chunks, pitch, matrix.outputs[i], column)] =
            static_cast<std::uint8_t>(answer[1 + column] >> bit_of(i));
      }
    }
    computed(answer[0], columns);
  } catch (const Error&) {
    lose();
    throw;
  }

  CellPlaces cells_;
  CoSimulation simulation_;
  mutable std::mutex mutex_;
};

}  // namespace xorloom
