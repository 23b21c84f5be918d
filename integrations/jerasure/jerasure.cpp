// The functions of Jerasure's jerasure.h that encode, and its schedules. A schedule is a list of
// copies and XORs of packets, five numbers each: the chunk and packet read, the chunk and packet
// written, and 1 for an XOR. -1 ends it.

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "equations/build/direct.hpp"
#include "equations/passes/row_forms.hpp"
#include "integrations/jerasure/matrix_code.hpp"
#include "integrations/jerasure/matrix_products.hpp"
#include "integrations/jerasure/memory.hpp"
#include "integrations/jerasure/regions.hpp"
#include "integrations/jerasure/statistics.hpp"
#include "runtime/stripes/add_sums.hpp"

namespace xorloom::jerasure {
namespace {

using Step = std::array<int, 5>;

/// The program as a schedule, for jerasure_free_schedule(); null if there is no memory.
int** schedule_of(const Program& program) {
  std::vector<Step> steps;
  const auto chunk = [&](Element element) { return static_cast<int>(element / program.rows); };
  const auto packet = [&](Element element) { return static_cast<int>(element % program.rows); };
  for (const Equation& equation : program.equations) {
    bool is_first = true;
    for (const Operand& operand : equation.operands) {
      steps.push_back({chunk(operand), packet(operand), chunk(equation.target),
                       packet(equation.target), is_first ? 0 : 1});
      is_first = false;
    }
  }
  steps.push_back({-1, -1, -1, -1, -1});
  auto** const schedule = static_cast<int**>(std::calloc(steps.size(), sizeof(int*)));
  if (schedule == nullptr) return nullptr;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    schedule[i] = new_ints(steps[i].size());
    if (schedule[i] == nullptr) {
      while (i-- > 0) std::free(schedule[i]);
      std::free(schedule);
      return nullptr;
    }
    std::copy(steps[i].begin(), steps[i].end(), schedule[i]);
  }
  return schedule;
}

int** made_schedule(int k, int m, int w, const int* bitmatrix, bool is_smart) noexcept try {
  const Code code = matrix_code({size(k), size(m), size(w), 8, bitmatrix});
  const Program direct = direct_encoding(code);
  return schedule_of(is_smart ? row_differences(direct) : direct);
} catch (...) {
  return nullptr;
}

/// Runs a schedule. Consecutive steps into one packet are one sum, unless a step reads the packet.
void run_steps(char** chunks, int** schedule, std::size_t packet_bytes) {
  if (check_adder() != Status::kOk) give_up("jerasure_do_scheduled_operations", last_error());
  Operations operations;
  for (int** step = schedule; (*step)[0] >= 0; ++step) {
    ++((*step)[4] != 0 ? operations.xored : operations.copied);
  }
  count_operations(operations, packet_bytes);
  std::array<const std::uint8_t*, 64> reads;
  const auto packet = [&](int chunk, int number) {
    return bytes_of(chunks[chunk]) + size(number) * packet_bytes;
  };
  if (packet_bytes <= kFewBytes) {
    for (; (*schedule)[0] >= 0; ++schedule) {
      const int* const step = *schedule;
      const std::uint8_t* const from = packet(step[0], step[1]);
      std::uint8_t* const to = packet(step[2], step[3]);
      if (step[4] != 0) {
        add_few(to, from, packet_bytes);
      } else {
        copy_region(to, from, packet_bytes);
      }
    }
    return;
  }
  while ((*schedule)[0] >= 0) {
    const int* const first = *schedule;
    std::uint8_t* const to = packet(first[2], first[3]);
    std::size_t count = 0;
    if (first[4] != 0) reads[count++] = to;
    do {
      reads[count++] = packet((*schedule)[0], (*schedule)[1]);
      ++schedule;
    } while (count < reads.size() && (*schedule)[0] >= 0 && (*schedule)[4] != 0 &&
             packet((*schedule)[2], (*schedule)[3]) == to &&
             packet((*schedule)[0], (*schedule)[1]) != to);
    add_up(to, reads.data(), count, packet_bytes);
  }
}

bool lies_over_data(int k, char** data, char** coding) {
  return std::any_of(coding, coding + 2,
                     [&](char* chunk) { return std::find(data, data + k, chunk) != data + k; });
}

/// P and Q as Jerasure computes them: Q by doubling it before each chunk of data is added.
bool encode_r6_in_order(int k, int w, char** data, char** coding, std::size_t bytes) {
  if (k <= 0 || (w != 8 && w != 16 && w != 32)) return false;
  std::uint8_t* const p = bytes_of(coding[0]);
  std::uint8_t* const q = bytes_of(coding[1]);
  copy_region(p, bytes_of(data[0]), bytes);
  for (int j = 1; j < k; ++j) add_region(p, bytes_of(data[j]), bytes);
  copy_region(q, bytes_of(data[k - 1]), bytes);
  for (int j = k - 2; j >= 0; --j) {
    if (!multiply_region(size(w), 2, q, q, bytes, false)) return false;
    add_region(q, bytes_of(data[j]), bytes);
  }
  return true;
}

}  // namespace
}  // namespace xorloom::jerasure

using namespace xorloom::jerasure;  // NOLINT(google-build-using-namespace): the functions are C's

XORLOOM_JERASURE void jerasure_matrix_encode(int k, int m, int w, int* matrix, char** data_ptrs,
                                             char** coding_ptrs, int bytes) {
  if (!encode({size(k), size(m), size(w), 0, matrix}, chunks_of(data_ptrs), chunks_of(coding_ptrs),
              size(bytes))) {
    give_up("jerasure_matrix_encode", xorloom::last_error());
  }
}

XORLOOM_JERASURE void jerasure_bitmatrix_encode(int k, int m, int w, int* bitmatrix,
                                                char** data_ptrs, char** coding_ptrs, int bytes,
                                                int packetsize) {
  if (packetsize <= 0) give_up("jerasure_bitmatrix_encode", kNoPackets);
  if (!encode({size(k), size(m), size(w), size(packetsize), bitmatrix}, chunks_of(data_ptrs),
              chunks_of(coding_ptrs), size(bytes))) {
    give_up("jerasure_bitmatrix_encode", xorloom::last_error());
  }
}

/// The sum of all data, as a row of ones makes it.
XORLOOM_JERASURE void jerasure_do_parity(int k, char** data_ptrs, char* parity_ptr, int bytes) {
  if (k <= 0) return;
  if (xorloom::check_adder() != xorloom::Status::kOk) {
    give_up("jerasure_do_parity", xorloom::last_error());
  }
  count_operations({size(k) - 1, 0, 1}, size(bytes));
  std::uint8_t* const parity = bytes_of(parity_ptr);
  const std::uint8_t* const* const data = chunks_of(data_ptrs);
  if (std::find(data + 1, data + k, parity) == data + k) {
    return xorloom::add_up(parity, data, size(k), size(bytes));
  }
  copy_region(parity, data[0], size(bytes));
  for (int i = 1; i < k; ++i) add_region(parity, data[i], size(bytes));
}

/// Bytes of the XORs, products and copies since the last call.
XORLOOM_JERASURE void jerasure_get_stats(double* fill_in) {
  const Operations operations = take_operations();
  fill_in[0] = static_cast<double>(operations.xored);
  fill_in[1] = static_cast<double>(operations.multiplied);
  fill_in[2] = static_cast<double>(operations.copied);
}

XORLOOM_JERASURE int* reed_sol_r6_coding_matrix(int k, int w);  // in matrices.cpp
XORLOOM_JERASURE int reed_sol_r6_encode(int k, int w, char** data_ptrs, char** coding_ptrs,
                                        int bytes) {
  if (lies_over_data(k, data_ptrs, coding_ptrs)) {
    return encode_r6_in_order(k, w, data_ptrs, coding_ptrs, size(bytes)) ? 1 : 0;
  }
  int* const matrix = reed_sol_r6_coding_matrix(k, w);
  const bool is_encoded =
      matrix != nullptr && encode({size(k), 2, size(w), 0, matrix}, chunks_of(data_ptrs),
                                  chunks_of(coding_ptrs), size(bytes));
  std::free(matrix);
  return is_encoded ? 1 : 0;
}

XORLOOM_JERASURE int** jerasure_dumb_bitmatrix_to_schedule(int k, int m, int w, int* bitmatrix) {
  return made_schedule(k, m, w, bitmatrix, false);
}

/// Each row of packets comes from the data, or from another row and what it differs in: a tree of
/// the fewest XORs.
XORLOOM_JERASURE int** jerasure_smart_bitmatrix_to_schedule(int k, int m, int w, int* bitmatrix) {
  return made_schedule(k, m, w, bitmatrix, true);
}

XORLOOM_JERASURE void jerasure_free_schedule(int** schedule) {
  if (schedule == nullptr) return;
  std::size_t i = 0;
  for (; schedule[i][0] >= 0; ++i) std::free(schedule[i]);
  std::free(schedule[i]);
  std::free(schedule);
}

/// Runs a schedule on packets 0 … w-1 of each chunk.
XORLOOM_JERASURE void jerasure_do_scheduled_operations(char** ptrs, int** schedule,
                                                       int packetsize) {
  run_steps(ptrs, schedule, size(packetsize));
}

XORLOOM_JERASURE void jerasure_schedule_encode(int k, int m, int w, int** schedule,
                                               char** data_ptrs, char** coding_ptrs, int bytes,
                                               int packetsize) {
  if (packetsize <= 0 || bytes % (packetsize * w) != 0) {
    give_up("jerasure_schedule_encode", "the bytes are no multiple of w packets");
  }
  or_give_up("jerasure_schedule_encode", [&] {
    std::vector<char*> chunks(data_ptrs, data_ptrs + k);
    chunks.insert(chunks.end(), coding_ptrs, coding_ptrs + m);
    for (int at = 0; at < bytes; at += packetsize * w) {
      run_steps(chunks.data(), schedule, size(packetsize));
      for (char*& chunk : chunks) chunk += packetsize * w;
    }
  });
}
