#pragma once

// The lines of a lean decoder that do not depend on the code. lean_decoder.cpp writes the constants
// and tables that they use before them.

namespace xorloom::lean_text {

inline constexpr const char* kTables =
    R"(// Cell c is cell c % CELLS of chunk c / CELLS. Redundant cell i is the sum of
// factor i * DATA + j times data cell j.
)";

inline constexpr const char* kMultiplyBits =
    R"(static uint32_t factor_at(unsigned row, unsigned column) {
  const uint32_t place = (uint32_t)row * DATA + column;
  return ((uint32_t)factors[place / 8] >> (place % 8)) & 1u;
}

static uint32_t multiply(uint32_t a, uint32_t b) { return a & b; }

static uint32_t inverse_of(uint32_t a) { return a; }

)";

inline constexpr const char* kMultiply =
    R"(static uint32_t factor_at(unsigned row, unsigned column) {
  return factors[(uint32_t)row * DATA + column];
}

// The product in the field, by shift and add.
static uint32_t multiply(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (unsigned bit = BITS; bit-- > 0;) {
    const uint32_t overflow = (product >> (BITS - 1)) & 1u;
    product = (product << 1) ^ (polynomial & (0u - overflow));
    product ^= a & (0u - ((b >> bit) & 1u));
  }
  return product;
}

)";

inline constexpr const char* kMultiplyInBasis =
    R"(static uint32_t factor_at(unsigned row, unsigned column) {
  return factors[(uint32_t)row * DATA + column];
}

// The sum of the elements that the bits of a number select.
static uint32_t combined(const symbol elements[], uint32_t bits) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < BITS; ++i) {
    if (((bits >> i) & 1u) != 0) sum ^= elements[i];
  }
  return sum;
}

// The product in the field, by shift and add of the polynomials.
static uint32_t multiply(uint32_t a, uint32_t b) {
  const uint32_t first = combined(basis, a);
  const uint32_t second = combined(basis, b);
  uint32_t product = 0;
  for (unsigned bit = BITS; bit-- > 0;) {
    const uint32_t overflow = (product >> (BITS - 1)) & 1u;
    product = (product << 1) ^ (polynomial & (0u - overflow));
    product ^= first & (0u - ((second >> bit) & 1u));
  }
  return combined(powers_of_x, product);
}

)";

inline constexpr const char* kInverse =
    R"(// a to the power of 2^BITS - 2.
static uint32_t inverse_of(uint32_t a) {
  uint32_t result = 1;
  for (unsigned i = 1; i < BITS; ++i) {
    a = multiply(a, a);
    result = multiply(result, a);
  }
  return result;
}

)";

inline constexpr const char* kStateOfSymbols = R"(static struct {
  symbol matrix[UNKNOWNS][UNKNOWNS];
  uint16_t unknown[UNKNOWNS];  // places in data_cell of lost cells
  uint16_t taken[UNKNOWNS];    // places in redundant_cell
  uint16_t pivot[UNKNOWNS];    // the column that a row of the matrix solves
  uint16_t num_unknown;
  uint8_t is_ready;
  uint8_t lost[(CHUNKS + 7) / 8];  // a bit per chunk
} state;

static uint32_t at(unsigned row, unsigned column) {
  return state.matrix[row][column];
}

static void put(unsigned row, unsigned column, uint32_t value) {
  state.matrix[row][column] = (symbol)value;
}

)";

inline constexpr const char* kStateOfBits = R"(static struct {
  symbol matrix[UNKNOWNS][(UNKNOWNS + 7) / 8];
  uint16_t unknown[UNKNOWNS];  // places in data_cell of lost cells
  uint16_t taken[UNKNOWNS];    // places in redundant_cell
  uint16_t pivot[UNKNOWNS];    // the column that a row of the matrix solves
  uint16_t num_unknown;
  uint8_t is_ready;
  uint8_t lost[(CHUNKS + 7) / 8];  // a bit per chunk
} state;

static uint32_t at(unsigned row, unsigned column) {
  return ((uint32_t)state.matrix[row][column / 8] >> (column % 8)) & 1u;
}

static void put(unsigned row, unsigned column, uint32_t value) {
  symbol *const byte = &state.matrix[row][column / 8];
  const unsigned bit = 1u << (column % 8);
  *byte = (symbol)(value != 0 ? *byte | bit : *byte & ~bit);
}

)";

inline constexpr const char* kElimination =
    R"(// Compilers would call memset for bytes that are not volatile.
static void clear(volatile uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < count; ++i) bytes[i] = 0;
}

static int is_lost(unsigned cell) {
  const unsigned chunk = cell / CELLS;
  return (state.lost[chunk / 8] >> (chunk % 8)) & 1;
}

// Adds a multiple of a row of the matrix to another row.
static void add_row(unsigned to, uint32_t factor, unsigned from) {
  if (factor == 0) return;
  for (unsigned c = 0; c < state.num_unknown; ++c) {
    put(to, c, at(to, c) ^ multiply(factor, at(from, c)));
  }
}

// Whether one of the first rows solves a column.
static int is_solved(unsigned column, unsigned rows) {
  for (unsigned i = 0; i < rows; ++i) {
    if (state.pivot[i] == column) return 1;
  }
  return 0;
}

// Adds the equation of a redundant cell as a row behind others, and solves it.
// The column of a pivot is a unit vector, so that its place holds the column of
// the inverse in its stead. Returns the number of rows: no more if the equation
// follows from those taken.
static unsigned take(unsigned redundant, unsigned rows) {
  const unsigned last = rows;
  unsigned column = 0;
  uint32_t scale;
  for (unsigned c = 0; c < state.num_unknown; ++c) {
    put(last, c, factor_at(redundant, state.unknown[c]));
  }
  for (unsigned i = 0; i < rows; ++i) put(last, state.pivot[i], 0);
  for (unsigned i = 0; i < rows; ++i) {
    add_row(last, factor_at(redundant, state.unknown[state.pivot[i]]), i);
  }
  while (column < state.num_unknown &&
         (at(last, column) == 0 || is_solved(column, rows))) {
    ++column;
  }
  if (column == state.num_unknown) return rows;
  scale = inverse_of(at(last, column));
  put(last, column, 1);
  for (unsigned c = 0; c < state.num_unknown; ++c) {
    put(last, c, multiply(scale, at(last, c)));
  }
  for (unsigned i = 0; i < rows; ++i) {
    const uint32_t factor = at(i, column);
    put(i, column, 0);
    add_row(i, factor, last);
  }
  state.pivot[last] = (uint16_t)column;
  state.taken[last] = (uint16_t)redundant;
  return rows + 1;
}

)";

inline constexpr const char* kInvert = R"(  unsigned unknowns = 0;
  unsigned rows = 0;
  state.is_ready = 0;
  state.num_unknown = 0;
  clear(state.lost, sizeof state.lost);
  for (size_t i = 0; i < num_lost; ++i) {
    const unsigned chunk = lost[i];
    if (chunk >= CHUNKS || is_lost(chunk * CELLS)) return 1;
    state.lost[chunk / 8] = (uint8_t)(state.lost[chunk / 8] | 1 << (chunk % 8));
  }
  for (unsigned d = 0; d < DATA; ++d) {
    if (!is_lost(data_cell[d])) continue;
    if (unknowns == UNKNOWNS) return 2;
    state.unknown[unknowns++] = (uint16_t)d;
  }
  state.num_unknown = (uint16_t)unknowns;
  for (unsigned r = 0; r < REDUNDANT && rows < unknowns; ++r) {
    if (rows < UNKNOWNS && !is_lost(redundant_cell[r])) rows = take(r, rows);
  }
  if (rows < unknowns) return 2;
  state.is_ready = 1;
  return 0;
}

)";

inline constexpr const char* kAddPackets = R"(// Sets a cell to 0.
static void clear_cell(uint8_t *const chunks[], size_t chunk_bytes,
                       unsigned cell) {
  const size_t begin = (size_t)(cell % CELLS) * BITS * PACKET;
  for (size_t block = 0; block < chunk_bytes; block += MULTIPLE) {
    clear(chunks[cell / CELLS] + begin + block, BITS * PACKET);
  }
}

// Adds a packet of all super-blocks to another one.
static void add_packet(uint8_t *out, const uint8_t *in, size_t chunk_bytes) {
  for (size_t block = 0; block < chunk_bytes; block += MULTIPLE) {
    for (unsigned i = 0; i < PACKET; ++i) out[block + i] ^= in[block + i];
  }
}

// Adds a multiple of a cell to another one: bit b of factor * 2^p says whether
// packet p of the one is added to packet b of the other.
static void add_product(uint8_t *const chunks[], size_t chunk_bytes,
                        unsigned to, uint32_t factor, unsigned from) {
  uint8_t *const out =
      chunks[to / CELLS] + (size_t)(to % CELLS) * BITS * PACKET;
  const uint8_t *const in =
      chunks[from / CELLS] + (size_t)(from % CELLS) * BITS * PACKET;
  if (factor == 0) return;
  for (unsigned p = 0; p < BITS; ++p) {
    const uint32_t column = multiply(factor, (uint32_t)1 << p);
    for (unsigned b = 0; b < BITS; ++b) {
      if (((column >> b) & 1u) == 0) continue;
      add_packet(out + (size_t)b * PACKET, in + (size_t)p * PACKET,
                 chunk_bytes);
    }
  }
}

)";

inline constexpr const char* kProductsOfHalves = R"(// Sets a cell to 0.
static void clear_cell(uint8_t *const chunks[], size_t chunk_bytes,
                       unsigned cell) {
  const size_t bytes = chunk_bytes / CELLS;
  clear(chunks[cell / CELLS] + cell % CELLS * bytes, bytes);
}

// Products of a factor with each value of each half byte of a symbol.
static void find_products(symbol products[BITS / 4][16], uint32_t factor) {
  for (unsigned half = 0; half < BITS / 4; ++half) {
    products[half][0] = 0;
    for (unsigned bit = 0; bit < 4; ++bit) {
      const unsigned first = 1u << bit;
      const uint32_t product =
          multiply(factor, (uint32_t)1 << (4 * half + bit));
      for (unsigned i = 0; i < first; ++i) {
        products[half][first + i] = (symbol)(products[half][i] ^ product);
      }
    }
  }
}

)";

inline constexpr const char* kAddHalfBytes =
    R"(// Adds a multiple of a cell to another one, two symbols at a time.
static void add_product(uint8_t *const chunks[], size_t chunk_bytes,
                        unsigned to, uint32_t factor, unsigned from) {
  symbol products[BITS / 4][16];
  const size_t bytes = chunk_bytes / CELLS;
  uint8_t *const out = chunks[to / CELLS] + to % CELLS * bytes;
  const uint8_t *const in = chunks[from / CELLS] + from % CELLS * bytes;
  if (factor == 0) return;
  find_products(products, factor);
  for (size_t i = 0; i < bytes; ++i) {
    out[i] ^= (uint8_t)(products[0][in[i] & 15] | products[0][in[i] >> 4] << 4);
  }
}

)";

inline constexpr const char* kAddWords =
    R"(// Adds a multiple of a cell to another one, symbol by symbol.
static void add_product(uint8_t *const chunks[], size_t chunk_bytes,
                        unsigned to, uint32_t factor, unsigned from) {
  symbol products[BITS / 4][16];
  const size_t bytes = chunk_bytes / CELLS;
  uint8_t *const out = chunks[to / CELLS] + to % CELLS * bytes;
  const uint8_t *const in = chunks[from / CELLS] + from % CELLS * bytes;
  if (factor == 0) return;
  find_products(products, factor);
  for (size_t i = 0; i < bytes; i += BITS / 8) {
    uint32_t product = 0;
    for (unsigned b = 0; b < BITS / 8; ++b) {
      product ^= products[2 * b][in[i + b] & 15];
      product ^= products[2 * b + 1][in[i + b] >> 4];
    }
    for (unsigned b = 0; b < BITS / 8; ++b) {
      out[i + b] ^= (uint8_t)(product >> (8 * b));
    }
  }
}

)";

inline constexpr const char* kRecover = R"(  const unsigned unknowns = state.num_unknown;
  if (chunk_bytes % MULTIPLE != 0) return 1;
  if (!state.is_ready) return 2;
  for (unsigned i = 0; i < unknowns; ++i) {
    const unsigned to = data_cell[state.unknown[state.pivot[i]]];
    clear_cell(chunks, chunk_bytes, to);
    for (unsigned j = 0; j < unknowns; ++j) {
      add_product(chunks, chunk_bytes, to, at(i, state.pivot[j]),
                  redundant_cell[state.taken[j]]);
    }
    for (unsigned d = 0; d < DATA; ++d) {
      uint32_t factor = 0;
      if (is_lost(data_cell[d])) continue;
      for (unsigned j = 0; j < unknowns; ++j) {
        factor ^=
            multiply(at(i, state.pivot[j]), factor_at(state.taken[j], d));
      }
      add_product(chunks, chunk_bytes, to, factor, data_cell[d]);
    }
  }
  for (unsigned r = 0; r < REDUNDANT; ++r) {
    if (!is_lost(redundant_cell[r])) continue;
    clear_cell(chunks, chunk_bytes, redundant_cell[r]);
    for (unsigned d = 0; d < DATA; ++d) {
      add_product(chunks, chunk_bytes, redundant_cell[r], factor_at(r, d),
                  data_cell[d]);
    }
  }
  return 0;
}
)";

}  // namespace xorloom::lean_text
