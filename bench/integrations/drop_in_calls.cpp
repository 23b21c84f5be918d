// Times single calls of the drop-ins for libisal and libJerasure beside the libraries that they
// stand in for, in one process and in turns:
//   xorloom_drop_in_calls [--names=PART] [--bytes=N,…] [--isal-suffix=_avx2]
// "new": no call has a matrix, a factor or a set of losses of another call. "again": all calls
// have the same. Each line is the least of several rounds; the worst ratio of ours to theirs comes
// first.
// A suffix names the functions of libisal to compare with, as ec_encode_data_avx2, for
// comparisons with XORLOOM_ISA=avx2.

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Byte = std::uint8_t;
using Bytes = std::vector<Byte>;
using Ints = std::vector<int>;

std::size_t size(int number) { return static_cast<std::size_t>(number); }

struct Library {
  explicit Library(const std::string& path)
      : handle(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle == nullptr) give_up();
  }
  template <typename Function>
  void find(Function*& function, const std::string& name) const {
    function = reinterpret_cast<Function*>(::dlsym(handle, name.c_str()));
    if (function == nullptr) give_up();
  }
  [[noreturn]] static void give_up() {
    std::fprintf(stderr, "%s\n", ::dlerror());
    std::exit(1);
  }
  void* handle;
};

struct Isal {
  Isal(const Library& library, const std::string& suffix) {
    library.find(encode, "ec_encode_data" + suffix);
    library.find(update, "ec_encode_data_update" + suffix);
    library.find(dot, "gf_vect_dot_prod" + suffix);
    library.find(mad, "gf_vect_mad" + suffix);
    library.find(multiply, "gf_vect_mul");
    library.find(tables_of, "ec_init_tables");
    library.find(invert, "gf_invert_matrix");
    library.find(cauchy, "gf_gen_cauchy1_matrix");
    library.find(vandermonde, "gf_gen_rs_matrix");
  }
  void (*encode)(int, int, int, Byte*, Byte**, Byte**);
  void (*update)(int, int, int, int, Byte*, Byte*, Byte**);
  void (*dot)(int, int, Byte*, Byte**, Byte*);
  void (*mad)(int, int, int, Byte*, Byte*, Byte*);
  int (*multiply)(int, Byte*, void*, void*);
  void (*tables_of)(int, int, Byte*, Byte*);
  int (*invert)(Byte*, Byte*, int);
  void (*cauchy)(Byte*, int, int);
  void (*vandermonde)(Byte*, int, int);
};

using Region = void(char*, int, int, char*, int);

struct Jerasure {
  explicit Jerasure(const Library& library) {
    library.find(encode, "jerasure_matrix_encode");
    library.find(decode, "jerasure_matrix_decode");
    library.find(dot, "jerasure_matrix_dotprod");
    library.find(bit_encode, "jerasure_bitmatrix_encode");
    library.find(bit_decode, "jerasure_bitmatrix_decode");
    library.find(bit_dot, "jerasure_bitmatrix_dotprod");
    library.find(lazy_decode, "jerasure_schedule_decode_lazy");
    library.find(schedule_encode, "jerasure_schedule_encode");
    library.find(schedule_of, "jerasure_smart_bitmatrix_to_schedule");
    library.find(add, "galois_region_xor");
    library.find(regions[0], "galois_w08_region_multiply");
    library.find(regions[1], "galois_w16_region_multiply");
    library.find(regions[2], "galois_w32_region_multiply");
    library.find(product, "galois_single_multiply");
    library.find(quotient, "galois_single_divide");
    library.find(vandermonde, "reed_sol_vandermonde_coding_matrix");
    library.find(cauchy_good, "cauchy_good_general_coding_matrix");
    library.find(to_bits, "jerasure_matrix_to_bitmatrix");
    library.find(invert, "jerasure_invert_matrix");
    library.find(invert_bits, "jerasure_invert_bitmatrix");
  }
  void (*encode)(int, int, int, int*, char**, char**, int);
  int (*decode)(int, int, int, int*, int, int*, char**, char**, int);
  void (*dot)(int, int, int*, int*, int, char**, char**, int);
  void (*bit_encode)(int, int, int, int*, char**, char**, int, int);
  int (*bit_decode)(int, int, int, int*, int, int*, char**, char**, int, int);
  void (*bit_dot)(int, int, int*, int*, int, char**, char**, int, int);
  int (*lazy_decode)(int, int, int, int*, int*, char**, char**, int, int, int);
  void (*schedule_encode)(int, int, int, int**, char**, char**, int, int);
  int** (*schedule_of)(int, int, int, int*);
  void (*add)(char*, char*, int);
  Region* regions[3];
  int (*product)(int, int, int);
  int (*quotient)(int, int, int);
  int* (*vandermonde)(int, int, int);
  int* (*cauchy_good)(int, int, int);
  int* (*to_bits)(int, int, int, int*);
  int (*invert)(int*, int*, int, int);
  int (*invert_bits)(int*, int*, int);
};

struct Side {
  Isal isal;
  Jerasure jerasure;
};

struct Line {
  std::string name;
  double ours;  ///< nanoseconds of a call
  double theirs;
  double ratio() const { return ours / theirs; }
};

/// Chunks 64 bytes apart, so that they do not compete for cache sets.
struct Stripe {
  Stripe(int chunks, int bytes) : memory(size(chunks) * (size(bytes) + 64)) {
    std::mt19937_64 random{1};
    for (Byte& byte : memory) byte = static_cast<Byte>(random());
    for (int i = 0; i < chunks; ++i) at.push_back(memory.data() + size(i) * (size(bytes) + 64));
  }
  char** chars() { return reinterpret_cast<char**>(at.data()); }
  Bytes memory;
  std::vector<Byte*> at{};
};

class Measuring {
 public:
  Measuring(const Side& ours, const Side& theirs, std::string_view wanted)
      : ours_(ours), theirs_(theirs), wanted_(wanted) {}

  bool is_wanted(std::string_view name) const {
    return name.find(wanted_) != std::string_view::npos;
  }

  /// Times call(side, number). No side gets a number twice. If `name` ends with "new", all numbers
  /// are below 3000.
  template <typename Call>
  void run(const std::string& name, const Call& call) {
    if (!is_wanted(name)) return;
    constexpr double kRoundNanoseconds = 4e6;
    const std::size_t most_calls = name.ends_with("new") ? 150 : 1 << 14;
    std::size_t next = 0;
    const auto time = [&](const Side& side, std::size_t calls) {
      const auto begin = std::chrono::steady_clock::now();
      for (std::size_t i = next; i < next + calls; ++i) call(side, i);
      const std::chrono::duration<double, std::nano> spent =
          std::chrono::steady_clock::now() - begin;
      return spent.count() / static_cast<double>(calls);
    };
    const double once = std::max(1.0, std::min(time(theirs_, 4), time(theirs_, 4)));
    const auto calls =
        std::clamp<std::size_t>(static_cast<std::size_t>(kRoundNanoseconds / once), 2, most_calls);
    next += 4;
    std::array<double, kRounds> a;
    std::array<double, kRounds> b;
    for (std::size_t round = 0; round < kRounds; ++round) {
      const bool is_first = round % 2 == 0;
      for (const bool is_ours : {is_first, !is_first}) {
        (is_ours ? a : b)[round] = time(is_ours ? ours_ : theirs_, calls);
        next += calls;  // neither finds in the caches what the other one has read
      }
    }
    lines.push_back({name, *std::ranges::min_element(a), *std::ranges::min_element(b)});
    fmt::print(stderr, "{:<60} {:>12.1f} {:>12.1f}\n", name, lines.back().ours,
               lines.back().theirs);
  }

  std::vector<Line> lines;

 private:
  static constexpr std::size_t kRounds = 9;
  const Side& ours_;
  const Side& theirs_;
  std::string wanted_;
};

/// Matrices of symbols other than 0, made before they are timed. A number past the last one begins
/// again: by then a round of calls has gone by.
struct Tables {
  static constexpr std::size_t kCount = 3000;
  Tables(const Side& side, int k, int rows, bool is_new)
      : bytes(size(k) * size(rows) * 32), tables((is_new ? kCount : 1) * bytes) {
    static std::mt19937 random{1};  // so that no case has the matrices of another
    Bytes matrix(size(k) * size(rows));
    for (std::size_t i = 0; i < tables.size(); i += bytes) {
      for (Byte& symbol : matrix) symbol = static_cast<Byte>(1 + random() % 255);
      side.isal.tables_of(k, rows, matrix.data(), tables.data() + i);
    }
  }
  Byte* operator[](std::size_t i) { return tables.data() + i * bytes % tables.size(); }
  std::size_t bytes;
  Bytes tables;
};

void measure_isal(Measuring& measuring, const Side& side, int bytes) {
  constexpr int k = 12;
  Stripe stripe(k + 8, bytes);
  Byte** const data = stripe.at.data();
  Byte** const sums = data + k;
  for (const bool is_new : {true, false}) {
    const std::string how = fmt::format(" {} B, {}", bytes, is_new ? "new" : "again");
    for (const int rows : {1, 2, 4, 6}) {
      const std::string shape = fmt::format(" {} + {}", k, rows);
      Tables tables(side, k, rows, is_new);
      measuring.run("ec_encode_data" + shape + how, [&](const Side& on, std::size_t i) {
        on.isal.encode(bytes, k, rows, tables[i], data, sums);
      });
      measuring.run("ec_encode_data_update" + shape + how, [&](const Side& on, std::size_t i) {
        on.isal.update(bytes, k, rows, static_cast<int>(i % k), tables[i], data[0], sums);
      });
    }
    Tables tables(side, k, 1, is_new);
    measuring.run("gf_vect_dot_prod" + how, [&](const Side& on, std::size_t i) {
      on.isal.dot(bytes, k, tables[i], data, sums[0]);
    });
    measuring.run("gf_vect_mad" + how, [&](const Side& on, std::size_t i) {
      on.isal.mad(bytes, k, static_cast<int>(i % k), tables[i], data[0], sums[0]);
    });
    measuring.run("gf_vect_mul" + how, [&](const Side& on, std::size_t i) {
      on.isal.multiply(bytes, tables[i], data[0], sums[0]);
    });
  }
}

/// All sets of `count` of n, in an order that is no pattern.
std::vector<Ints> sets_of(int n, int count) {
  std::vector<Ints> sets;
  for (std::uint32_t bits = 0; bits < 1U << n; ++bits) {
    if (__builtin_popcount(bits) != count) continue;
    Ints set;
    for (int i = 0; i < n; ++i) {
      if ((bits >> i & 1U) != 0) set.push_back(i);
    }
    sets.push_back(set);
  }
  std::ranges::shuffle(sets, std::mt19937{3});
  return sets;
}

/// Decodes as liberasurecode does: inverts, makes tables, multiplies.
void measure_isal_losses(Measuring& measuring, const Side& side, int bytes) {
  constexpr int k = 12;
  constexpr int m = 4;
  Stripe stripe(k + m, bytes);
  Bytes matrix((k + m) * k);
  side.isal.cauchy(matrix.data(), k + m, k);
  const std::vector<Ints> sets = sets_of(k + m, m);
  measuring.run(fmt::format("1820 sets of losses of 12 + 4 by libisal {} B, new", bytes),
                [&](const Side& on, std::size_t i) {
                  const Ints& lost = sets[i % sets.size()];
                  Bytes rows(k * k), inverse(k * k), wanted(m * k), tables(m * k * 32);
                  std::array<Byte*, k> reads;
                  std::array<Byte*, m> writes;
                  int left = 0;
                  for (int l = 0; l < k + m && left < k; ++l) {
                    if (std::ranges::binary_search(lost, l)) continue;
                    std::copy_n(&matrix[size(l) * k], k, &rows[size(left) * k]);
                    reads[size(left++)] = stripe.at[size(l)];
                  }
                  on.isal.invert(rows.data(), inverse.data(), k);
                  for (std::size_t r = 0; r < m; ++r) {
                    writes[r] = stripe.at[size(lost[r])];
                    std::copy_n(&inverse[size(lost[r]) % k * k], k, &wanted[r * k]);
                  }
                  on.isal.tables_of(k, m, wanted.data(), tables.data());
                  on.isal.encode(bytes, k, m, tables.data(), reads.data(), writes.data());
                });
}

void measure_isal_matrices(Measuring& measuring) {
  constexpr int k = 12;
  Bytes matrix((k + 4) * k);
  Bytes tables(4 * k * 32);
  measuring.run("ec_init_tables 12 + 4", [&](const Side& on, std::size_t i) {
    matrix[0] = static_cast<Byte>(i);
    on.isal.tables_of(k, 4, matrix.data(), tables.data());
  });
  measuring.run("gf_gen_cauchy1_matrix 12 + 4",
                [&](const Side& on, std::size_t) { on.isal.cauchy(matrix.data(), k + 4, k); });
  Bytes in(k * k), out(k * k), from(k * k);
  std::copy_n(matrix.begin() + 4 * k, k * k, from.begin());
  measuring.run("gf_invert_matrix 12", [&](const Side& on, std::size_t) {
    in = from;
    on.isal.invert(in.data(), out.data(), k);
  });
  measuring.run("gf_gen_rs_matrix 12 + 4",
                [&](const Side& on, std::size_t) { on.isal.vandermonde(matrix.data(), k + 4, k); });
}

/// Matrices of symbols other than 0, and one of a code that can be decoded.
struct Matrices {
  static constexpr std::size_t kCount = 3000;
  Matrices(int columns, int rows, int w, bool is_new)
      : entries(size(columns) * size(rows)), all((is_new ? kCount : 1) * entries) {
    static std::mt19937 random{1};
    for (int& entry : all) {
      const auto symbol = static_cast<std::uint32_t>(random()) & (w == 32 ? ~0U : (1U << w) - 1);
      entry = static_cast<int>(w == 1 || symbol != 0 ? symbol : 1U);
    }
  }
  int* operator[](std::size_t i) { return all.data() + i * entries % all.size(); }
  std::size_t entries;
  Ints all;
};

void measure_jerasure(Measuring& measuring, const Side& side, int bytes) {
  constexpr int k = 10;
  constexpr int m = 4;
  Stripe stripe(k + m, bytes);
  char** const data = stripe.chars();
  char** const coding = data + k;
  std::vector<Ints> losses = sets_of(k + m, m);
  for (Ints& lost : losses) lost.push_back(-1);
  for (const int w : {8, 16, 32}) {
    int* const code = side.jerasure.vandermonde(k, m, w);
    for (const bool is_new : {true, false}) {
      const std::string how = fmt::format(" w={} {} B, {}", w, bytes, is_new ? "new" : "again");
      Matrices matrices(k, m, w, is_new);
      measuring.run("jerasure_matrix_encode 10 + 4" + how, [&](const Side& on, std::size_t i) {
        on.jerasure.encode(k, m, w, matrices[i], data, coding, bytes);
      });
      measuring.run("jerasure_matrix_dotprod" + how, [&](const Side& on, std::size_t i) {
        on.jerasure.dot(k, w, matrices[i], nullptr, k, data, coding, bytes);
      });
      measuring.run("jerasure_matrix_decode 10 + 4" + how, [&](const Side& on, std::size_t i) {
        Ints& lost = losses[is_new ? i % losses.size() : 7];
        on.jerasure.decode(k, m, w, code, 1, lost.data(), data, coding, bytes);
      });
      for (const int add : {0, 1}) {
        measuring.run(fmt::format("galois_region_multiply{}{}", add == 0 ? "" : " added", how),
                      [&](const Side& on, std::size_t i) {
                        const int factor = is_new ? static_cast<int>(2 + i * 77 % 254) : 7;
                        on.jerasure.regions[w / 16](data[0], factor, bytes, data[1], add);
                      });
      }
    }
    std::free(code);
  }
  measuring.run(fmt::format("galois_region_xor {} B", bytes),
                [&](const Side& on, std::size_t) { on.jerasure.add(data[0], data[1], bytes); });
  constexpr int w = 8;
  const int packet = bytes / w;
  int* const symbols = side.jerasure.cauchy_good(k, m, w);
  int* const bits = side.jerasure.to_bits(k, m, w, symbols);
  int** const schedule = side.jerasure.schedule_of(k, m, w, bits);
  for (const bool is_new : {true, false}) {
    const std::string how = fmt::format(" w=8 {} B, {}", bytes, is_new ? "new" : "again");
    Matrices matrices(k * w, m * w, 1, is_new);
    const auto bitmatrix = [&](std::size_t i) { return is_new ? matrices[i] : bits; };
    measuring.run("jerasure_bitmatrix_encode 10 + 4" + how, [&](const Side& on, std::size_t i) {
      on.jerasure.bit_encode(k, m, w, bitmatrix(i), data, coding, bytes, packet);
    });
    measuring.run("jerasure_bitmatrix_dotprod" + how, [&](const Side& on, std::size_t i) {
      on.jerasure.bit_dot(k, w, bitmatrix(i), nullptr, k, data, coding, bytes, packet);
    });
    const auto lost = [&](std::size_t i) { return losses[is_new ? i % losses.size() : 7].data(); };
    measuring.run("jerasure_bitmatrix_decode 10 + 4" + how, [&](const Side& on, std::size_t i) {
      on.jerasure.bit_decode(k, m, w, bits, 0, lost(i), data, coding, bytes, packet);
    });
    measuring.run("jerasure_schedule_decode_lazy 10 + 4" + how, [&](const Side& on, std::size_t i) {
      on.jerasure.lazy_decode(k, m, w, bits, lost(i), data, coding, bytes, packet, 1);
    });
  }
  measuring.run(fmt::format("jerasure_schedule_encode 10 + 4 w=8 {} B", bytes),
                [&](const Side& on, std::size_t) {
                  on.jerasure.schedule_encode(k, m, w, schedule, data, coding, bytes, packet);
                });
  std::free(bits);
  std::free(symbols);
}

void measure_jerasure_matrices(Measuring& measuring) {
  for (const int w : {8, 16, 32}) {
    const std::string how = fmt::format(" w={}", w);
    measuring.run("galois_single_multiply" + how, [&](const Side& on, std::size_t i) {
      on.jerasure.product(static_cast<int>(i % 250 + 2), 77, w);
    });
    measuring.run("galois_single_divide" + how, [&](const Side& on, std::size_t i) {
      on.jerasure.quotient(static_cast<int>(i % 250 + 2), 77, w);
    });
    measuring.run(
        "reed_sol_vandermonde_coding_matrix 10 + 4" + how,
        [&](const Side& on, std::size_t) { std::free(on.jerasure.vandermonde(10, 4, w)); });
    Matrices matrices(10, 10, w, true);
    Ints in(100), out(100);
    measuring.run("jerasure_invert_matrix 10" + how, [&](const Side& on, std::size_t i) {
      std::copy_n(matrices[i], 100, in.begin());
      on.jerasure.invert(in.data(), out.data(), 10, w);
    });
  }
  measuring.run("cauchy_good_general_coding_matrix 10 + 4 w=8",
                [&](const Side& on, std::size_t) { std::free(on.jerasure.cauchy_good(10, 4, 8)); });
  Matrices symbols(10, 4, 8, false);
  measuring.run("jerasure_matrix_to_bitmatrix 10 + 4 w=8", [&](const Side& on, std::size_t) {
    std::free(on.jerasure.to_bits(10, 4, 8, symbols[0]));
  });
  Matrices bits(80, 80, 1, true);
  Ints in(6400), out(6400);
  measuring.run("jerasure_invert_bitmatrix 80", [&](const Side& on, std::size_t i) {
    std::copy_n(bits[i], 6400, in.begin());
    on.jerasure.invert_bits(in.data(), out.data(), 80);
  });
}

Ints numbers_of(std::string_view text) {
  Ints numbers;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    numbers.push_back(std::atoi(std::string(text.substr(at, end - at)).c_str()));
    at = end + 1;
  }
  return numbers;
}

}  // namespace

int main(int argc, char** argv) {
  std::string names;
  std::string suffix;
  Ints sizes{64, 256, 1280, 4096, 65536, 1 << 20};
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const std::string_view value =
        argument.substr(std::min(argument.find('='), argument.size() - 1) + 1);
    if (argument.starts_with("--names=")) {
      names = value;
    } else if (argument.starts_with("--bytes=")) {
      sizes = numbers_of(value);
    } else if (argument.starts_with("--isal-suffix=")) {
      suffix = value;
    } else {
      std::fprintf(stderr, "%s is no option\n", argv[i]);
      return 1;
    }
  }
  // The first to be loaded keeps the bare name; the drop-ins are found by their paths.
  const Side theirs{{Library("libisal.so.2"), suffix}, Jerasure(Library("libJerasure.so.2"))};
  const std::string folder = XORLOOM_DROP_INS "/";
  const Side ours{{Library(folder + "libisal.so.2"), ""},
                  Jerasure(Library(folder + "libJerasure.so.2"))};
  Measuring measuring(ours, theirs, names);
  measure_isal_matrices(measuring);
  measure_jerasure_matrices(measuring);
  for (const int bytes : sizes) {
    measure_isal(measuring, theirs, bytes);
    measure_isal_losses(measuring, theirs, bytes);
    measure_jerasure(measuring, theirs, bytes);
  }
  std::ranges::sort(measuring.lines, std::ranges::greater{}, &Line::ratio);
  fmt::print("{:<60} {:>12} {:>12} {:>8}\n", "nanoseconds of a call", "ours", "theirs", "ratio");
  for (const Line& line : measuring.lines) {
    fmt::print("{:<60} {:>12.1f} {:>12.1f} {:>8.2f}\n", line.name, line.ours, line.theirs,
               line.ratio());
  }
  return 0;
}
