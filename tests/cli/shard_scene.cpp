#include "tests/cli/shard_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace xorloom::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShards = 14;  // shards of the default code
constexpr const char* kLock = "/.xorloom.lock";

bool is_hidden(const std::string& name) { return name[name.find('/') + 1] == '.'; }

bool holds(const std::vector<std::string>& sorted, const std::string& name) {
  return std::ranges::binary_search(sorted, name);
}

}  // namespace

ShardScene::ShardScene(Command command, std::size_t file_bytes, const std::string& threads)
    : command_(command),
      threads_(threads),
      old_(random_bytes(file_bytes, 2)),
      new_(random_bytes(command == Command::kReplace ? file_bytes + 1 : file_bytes, 3)) {
  write_file(folder_ / "old", old_);
  write_file(folder_ / "new", new_);
  if (command_ != Command::kEncode) make_set();
  prepare(true);
}

void ShardScene::make_set() {
  const Outcome encoded = xorloom({"encode", folder_ / "old", "-o", set_});
  if (encoded.status != 0) throw std::runtime_error(encoded.err);
  if (command_ == Command::kReplace) return;
  const std::vector<std::string> shards = folder_.names("set");
  for (const std::size_t lost : {2U, 9U}) fs::remove(fs::path(set_) / shards[lost]);
  for (const std::size_t damaged : {4U, 12U}) {
    const std::string path = fs::path(set_) / shards[damaged];
    std::string bytes = read_file(path);
    char& middle = bytes[bytes.size() / 2];
    middle = static_cast<char>(~middle);
    write_file(path, bytes);
    damaged_.push_back(shards[damaged]);
  }
}

void ShardScene::prepare(bool with_empty_directories) {
  fs::remove_all(d_);
  fs::remove_all(to_);
  had_directories_ = with_empty_directories;
  if (command_ != Command::kEncode) {
    fs::copy(set_, d_);
  } else if (with_empty_directories) {
    fs::create_directory(d_);
  }
  if (command_ == Command::kRepairTo && with_empty_directories) fs::create_directory(to_);
  before_ = names();
}

std::vector<std::string> ShardScene::arguments() const {
  switch (command_) {
    case Command::kEncode:
      return {"encode", folder_ / "new", "-o", d_, "--threads", threads_};
    case Command::kReplace:
      return {"encode", folder_ / "new", "-o", d_, "--replace", "--threads", threads_};
    case Command::kConvert:
      return {"convert", d_, "--code", "rs:k=9,m=5", "--threads", threads_};
    case Command::kRepair:
      return {"repair", d_, "--threads", threads_};
    default:
      return {"repair", d_, "--to", to_, "--threads", threads_};
  }
}

std::vector<std::string> ShardScene::names() const {
  std::vector<std::string> all;
  for (const std::string directory : {"d", "to"}) {
    if (!fs::exists(folder_ / directory)) continue;
    for (const std::string& name : folder_.names(directory)) {
      all.push_back(fmt::format("{}/{}", directory, name));
    }
  }
  return all;
}

ShardScene::Count ShardScene::count() const {
  const std::vector<std::string> now = names();
  Count count;
  for (const std::string& name : before_) {
    if (!holds(now, name)) ++count.gone;
  }
  for (const std::string& name : now) {
    if (holds(before_, name) || name.ends_with(kLock)) continue;
    ++(is_hidden(name) ? count.hidden : count.fresh);
  }
  return count;
}

bool ShardScene::is_naming() const {
  // Names are given within a tenth of a millisecond, so this has to be quick.
  for (const std::string directory : {"d", "to"}) {
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / directory, none)) {
      const std::string name = entry.path().filename().string();
      if (name[0] != '.' && !holds(before_, fmt::format("{}/{}", directory, name))) return true;
    }
  }
  return false;
}

bool ShardScene::is_removing() const {
  return !before_.empty() && !fs::exists(folder_ / before_.front());
}

std::string ShardScene::phase() const {
  const Count now = count();
  if (now.gone != 0) return now.gone < before_.size() ? "old shards going" : "old shards gone";
  if (now.fresh != 0) return now.hidden != 0 ? "names being given" : "all names given";
  return now.hidden != 0 ? "hidden files" : "nothing new";
}

bool ShardScene::is_as_before() const { return names() == before_; }

std::string ShardScene::litter() const {
  std::string litter;
  for (const std::string& name : names()) {
    if (is_hidden(name)) litter += name + "\n";
  }
  if (had_directories_) return litter;
  for (const std::string directory : {"d", "to"}) {
    if (!fs::exists(folder_ / directory)) continue;
    if (folder_.names(directory).empty()) litter += directory + "\n";
  }
  return litter;
}

std::string ShardScene::flaw() {
  const bool is_decoded = decode();
  const std::string back = is_decoded ? read_file(back_) : "";
  if (command_ == Command::kEncode) {
    if (is_decoded && back != new_) return "what is given back is not what was encoded";
    // Were there a set that cannot be given back, encoding would be refused.
    const std::string flaw =
        flaw_of(is_decoded ? std::vector<std::string>{"repair", d_} : arguments());
    return flaw.empty() ? flaw_of_whole({d_}, new_) : flaw;
  }
  if (!is_decoded) return "nothing can be given back";
  if (command_ == Command::kReplace && back != old_ && back != new_) {
    return "what is given back is neither the old file nor the new one";
  }
  if (command_ != Command::kReplace && back != old_) return "what is given back has changed";
  if (std::string flaw = flaw_of(arguments()); !flaw.empty()) return flaw;
  if (command_ == Command::kReplace) return flaw_of_whole({d_}, new_);
  if (command_ != Command::kRepairTo) return flaw_of_whole({d_}, old_);
  for (const std::string& name : damaged_) {
    if (!fs::remove(fs::path(d_) / name)) return "a damaged shard is gone";
  }
  return flaw_of_whole({d_, to_}, old_);
}

std::string ShardScene::flaw_of(const std::vector<std::string>& next) {
  const Outcome outcome = xorloom(next);
  return outcome.status == 0 ? "" : fmt::format("then {} fails: {}", next.front(), outcome.err);
}

std::string ShardScene::flaw_of_whole(const std::vector<std::string>& directories,
                                      const std::string& content) const {
  std::vector<std::string> verify{"verify"};
  verify.insert(verify.end(), directories.begin(), directories.end());
  if (const Outcome outcome = xorloom(verify); outcome.status != 0) {
    return "in the end verify says: " + outcome.out + outcome.err;
  }
  if (!decode() || read_file(back_) != content) return "in the end the file is not given back";
  const std::vector<std::string> left = names();
  const bool are_shards = std::ranges::all_of(
      left, [](const std::string& name) { return !is_hidden(name) && name.ends_with(".shard"); });
  // A repair into another directory may leave one shard twice: it could not be read once, and was
  // rebuilt. A conversion leaves old shards, of another set, that could not be removed.
  const std::size_t most = command_ == Command::kRepairTo  ? kShards + 1
                           : command_ == Command::kConvert ? 2 * kShards
                                                           : kShards;
  if (are_shards && left.size() >= kShards && left.size() <= most) return "";
  std::string list;
  for (const std::string& name : left) list += "\n" + name;
  return "in the end there is not one set and nothing else:" + list;
}

bool ShardScene::decode() const {
  std::vector<std::string> arguments{"decode", d_, "-o", back_};
  if (fs::exists(to_)) arguments.insert(arguments.begin() + 1, to_);
  return xorloom(arguments).status == 0;
}

}  // namespace xorloom::test
