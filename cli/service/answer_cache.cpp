#include "cli/service/answer_cache.hpp"

#include <utility>

namespace xorloom::cli {
namespace {

constexpr std::size_t kEntryBytes = 512;  ///< generous estimate for an entry without its texts

}  // namespace

const HttpAnswer* AnswerCache::find(const std::string& key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return &found->second->answer;
}

void AnswerCache::keep(const std::string& key, HttpAnswer answer) {
  if (const auto found = by_key_.find(key); found != by_key_.end()) drop(found->second);
  const std::size_t bytes = answer.body->size() + 2 * key.size() + kEntryBytes;
  if (bytes > most_bytes_) return;
  entries_.push_front({key, std::move(answer), bytes});
  by_key_[key] = entries_.begin();
  bytes_ += bytes;
  while (bytes_ > most_bytes_) drop(std::prev(entries_.end()));
}

void AnswerCache::drop(std::list<Entry>::iterator entry) {
  bytes_ -= entry->bytes;
  by_key_.erase(entry->key);
  entries_.erase(entry);
}

}  // namespace xorloom::cli
