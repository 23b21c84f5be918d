#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

// Numbers, sets and maps of shards, laid out as the daemons of Ceph 20.2 lay them out: names,
// template arguments and the order of fields are facts of that release's interface. The daemons
// compare the ends of their own iterators with `end_` and `const_end_`, so every object has these.

/// The number of a shard: the position of a chunk in the placement group.
struct shard_id_t {
  std::int8_t id = 0;

  shard_id_t() = default;
  explicit constexpr shard_id_t(int position) : id(static_cast<std::int8_t>(position)) {}
  friend bool operator==(const shard_id_t&, const shard_id_t&) = default;
};

/// A set of keys below kBits.
template <std::size_t kBits, typename Key>
class bitset_set {
 public:
  bitset_set() : end_{this, Key(static_cast<int>(kBits))} {}
  bitset_set(const bitset_set& other) : bitset_set() { words_ = other.words_; }
  bitset_set& operator=(const bitset_set& other) {
    words_ = other.words_;
    return *this;
  }

  bool contains(int key) const { return ((words_.at(word(key)) >> word_bit(key)) & 1) != 0; }
  void insert(int key) { words_.at(word(key)) |= std::uint64_t{1} << word_bit(key); }

 private:
  static std::size_t word(int key) { return static_cast<std::size_t>(key) / 64; }
  static unsigned int word_bit(int key) { return static_cast<unsigned int>(key) % 64; }

  struct Iterator {
    const bitset_set* set;
    Key at;
  };
  std::array<std::uint64_t, kBits / 64> words_{};
  Iterator end_;
};

/// A map of keys from 0 to its size - 1. It does not grow.
template <typename Key, typename Value, typename Int = std::int_fast8_t>
class mini_flat_map {
 public:
  explicit mini_flat_map(std::size_t size)
      : values_(size), end_{this, {}, Key(static_cast<int>(size))}, const_end_(end_) {}
  mini_flat_map(const mini_flat_map&) = delete;
  mini_flat_map& operator=(const mini_flat_map&) = delete;

  int size() const { return static_cast<int>(values_.size()); }

  /// The value of a key; null if there is none.
  Value* find(int key) { return const_cast<Value*>(std::as_const(*this).find(key)); }
  const Value* find(int key) const {
    if (key < 0 || key >= size()) return nullptr;
    const std::optional<Value>& value = values_[static_cast<std::size_t>(key)];
    return value ? &*value : nullptr;
  }

  /// Sets the value of a key.
  ///
  /// Errors: throws std::out_of_range if the map has no place for it.
  void set(int key, Value value) {
    std::optional<Value>& place = values_.at(static_cast<std::size_t>(key));
    if (!place) ++count_;
    place = std::move(value);
  }

 private:
  struct Iterator {
    const mini_flat_map* map;
    std::optional<std::pair<const Key&, Value&>> at;
    Key key;
  };
  std::vector<std::optional<Value>> values_;
  Iterator end_;
  Iterator const_end_;
  std::size_t count_ = 0;
};

using shard_id_set = bitset_set<128, shard_id_t>;
template <typename Value>
using shard_id_map = mini_flat_map<shard_id_t, Value>;

static_assert(sizeof(shard_id_t) == 1);
static_assert(sizeof(shard_id_set) == 32);
static_assert(sizeof(shard_id_map<int>) == 112);
