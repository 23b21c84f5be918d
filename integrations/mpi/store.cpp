#include "integrations/mpi/store.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <random>
#include <string_view>
#include <system_error>
#include <utility>

namespace xorloom::mpi {
namespace {

[[noreturn]] void fail(const std::string& what, const std::string& path) {
  throw Error(Status::kIo, what + " " + path + ": " + std::strerror(errno));
}

/// A file that is open.
class File {
 public:
  File(const std::string& path, int flags) : path_(path) {
    number_ = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
    if (number_ < 0) fail("cannot open", path);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { ::close(number_); }

  /// Reads bytes behind the end of the file as zeros, which fail their checksum.
  void read(std::uint64_t offset, std::span<std::uint8_t> bytes) const {
    while (!bytes.empty()) {
      const ssize_t got = ::pread(number_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("cannot read", path_);
      if (got == 0) {
        std::ranges::fill(bytes, std::uint8_t{0});
        return;
      }
      bytes = bytes.subspan(static_cast<std::size_t>(got));
      offset += static_cast<std::uint64_t>(got);
    }
  }

  void write(std::uint64_t offset, std::span<const std::uint8_t> bytes) const {
    while (!bytes.empty()) {
      const ssize_t put = ::pwrite(number_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) fail("cannot write", path_);
      bytes = bytes.subspan(static_cast<std::size_t>(put));
      offset += static_cast<std::uint64_t>(put);
    }
  }

  void sync() const {
    if (::fsync(number_) != 0) fail("cannot sync", path_);
  }

  std::uint64_t bytes() const {
    struct stat state {};
    if (::fstat(number_, &state) != 0) fail("cannot read", path_);
    return static_cast<std::uint64_t>(state.st_size);
  }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int number_ = -1;
};

class FileReader : public ShardReader {
 public:
  explicit FileReader(const std::string& path) : file_(path, O_RDONLY) {}
  void read(std::uint64_t offset, std::span<std::uint8_t> bytes) override {
    file_.read(offset, bytes);
  }

 private:
  File file_;
};

/// ".<name>.xorloom-<16 hexadecimal digits>" until it is published.
std::string pending_path(const std::string& directory, const std::string& name) {
  static std::random_device random;
  std::string digits;
  while (digits.size() < 16) digits += "0123456789abcdef"[random() % 16];
  return directory + "/." + name + ".xorloom-" + digits;
}

class FileWriter : public ShardWriter {
 public:
  FileWriter(const std::string& directory, const ShardHeader& header)
      : header_(header),
        path_(directory + '/' + file_name(header)),
        file_(pending_path(directory, file_name(header)), O_RDWR | O_CREAT | O_EXCL) {}
  ~FileWriter() override {
    if (!is_published_) ::unlink(file_.path().c_str());
  }

  void write(std::uint64_t offset, std::span<const std::uint8_t> bytes) override {
    file_.write(offset, bytes);
  }

  void finish(bool sync) override {
    const std::vector<std::uint8_t> text = header_text(header_);
    file_.write(header_.shard_bytes() - text.size(), text);
    file_.write(0, text);
    if (sync) file_.sync();
  }

  void publish() override {
    if (::rename(file_.path().c_str(), path_.c_str()) != 0) fail("cannot write", path_);
    is_published_ = true;
  }

 private:
  ShardHeader header_;
  std::string path_;
  File file_;
  bool is_published_ = false;
};

constexpr std::string_view kPrefix = "xorloom-";
constexpr std::string_view kSuffix = ".shard";
constexpr std::size_t kPendingBytes = std::string_view(".xorloom-0123456789abcdef").size();

bool is_shard_name(std::string_view name) {
  return name.starts_with(kPrefix) && name.ends_with(kSuffix);
}

/// The name that a pending file is to get; "" if it is none.
std::string_view name_of_pending(std::string_view name) {
  if (!name.starts_with('.') || name.size() < kPendingBytes + 1) return {};
  const std::string_view pending = name.substr(1, name.size() - 1 - kPendingBytes);
  return is_shard_name(pending) ? pending : std::string_view{};
}

/// The header of a file if both of its copies are there and its length is right. What cannot be
/// read is lost, too.
std::optional<ShardHeader> header_in(const std::string& path) try {
  const File file(path, O_RDONLY);
  std::vector<std::uint8_t> text(16);
  file.read(0, text);
  text.resize(stated_header_bytes(text));
  if (text.empty()) return std::nullopt;
  file.read(0, text);
  std::optional<ShardHeader> header = read_header(text);
  if (!header || file.bytes() < header->shard_bytes()) return std::nullopt;
  std::vector<std::uint8_t> end(text.size());
  file.read(header->shard_bytes() - end.size(), end);
  return text == end ? header : std::nullopt;
} catch (const Error&) {
  return std::nullopt;
}

class DirectoryBackend : public Store::Backend {
 public:
  explicit DirectoryBackend(std::string path) : path_(std::move(path)) {}

  std::vector<StoredShard> list(const std::string& label) override {
    std::vector<StoredShard> shards;
    pending_.clear();
    for (const std::string& name : names()) look_at(name, label, shards);
    return shards;
  }

  void remove_leftovers() override {
    for (const std::string& name : names()) {
      const std::string path = path_ + '/' + name;
      if (!name_of_pending(name).empty() && !header_in(path)) ::unlink(path.c_str());
    }
  }

  std::unique_ptr<ShardReader> open(const ShardHeader& header) override {
    return std::make_unique<FileReader>(path_ + '/' + file_name(header));
  }

  std::unique_ptr<ShardWriter> create(const ShardHeader& header) override {
    std::error_code error;
    std::filesystem::create_directories(path_, error);
    if (error) throw Error(Status::kIo, "cannot make " + path_ + ": " + error.message());
    return std::make_unique<FileWriter>(path_, header);
  }

  void publish(const StoredShard& shard) override {
    const std::string path = path_ + '/' + file_name(shard.header);
    const std::string pending = path_ + '/' + pending_[file_name(shard.header)];
    // If ranks share the directory, the first of them has renamed the file.
    if (::rename(pending.c_str(), path.c_str()) != 0 && errno != ENOENT) fail("cannot write", path);
  }

  void remove(const StoredShard& shard) override {
    const std::string name = file_name(shard.header);
    const std::string path = path_ + '/' + (shard.is_pending ? pending_[name] : name);
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) fail("cannot remove", path);
  }

  void sync() override {
    if (!std::filesystem::exists(path_)) return;
    File(path_, O_RDONLY | O_DIRECTORY).sync();
  }

 private:
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    std::error_code error;
    std::filesystem::directory_iterator files(path_, error);
    // A directory that is gone holds nothing, as after the loss of a node.
    if (error == std::errc::no_such_file_or_directory) return all;
    for (; !error && files != std::filesystem::directory_iterator(); files.increment(error)) {
      all.push_back(files->path().filename().string());
    }
    if (error) throw Error(Status::kIo, "cannot list " + path_ + ": " + error.message());
    return all;
  }

  void look_at(const std::string& name, const std::string& label,
               std::vector<StoredShard>& shards) {
    const std::string_view pending = name_of_pending(name);
    if (pending.empty() && !is_shard_name(name)) return;
    std::optional<ShardHeader> header = header_in(path_ + '/' + name);
    if (!header) return;
    const auto of = set_name_of(header->name);
    if (!of || of->label != label) return;
    // A name that is not the shard's would not be found again. Such a file is another's affair.
    if ((pending.empty() ? std::string_view(name) : pending) != file_name(*header)) return;
    if (!pending.empty()) pending_[std::string(pending)] = name;
    shards.push_back({*std::move(header), !pending.empty()});
  }

  std::string path_;
  std::map<std::string, std::string> pending_;  // by the name that it is to get
};

using Bytes = std::vector<std::uint8_t>;
using Memory = std::map<std::string, std::shared_ptr<Bytes>>;

class MemoryReader : public ShardReader {
 public:
  explicit MemoryReader(std::shared_ptr<Bytes> bytes) : bytes_(std::move(bytes)) {}
  void read(std::uint64_t offset, std::span<std::uint8_t> bytes) override {
    std::copy_n(bytes_->begin() + static_cast<std::ptrdiff_t>(offset), bytes.size(), bytes.begin());
  }

 private:
  std::shared_ptr<Bytes> bytes_;
};

class MemoryWriter : public ShardWriter {
 public:
  MemoryWriter(Memory& memory, const ShardHeader& header)
      : memory_(memory),
        header_(header),
        bytes_(std::make_shared<Bytes>(static_cast<std::size_t>(header.shard_bytes()))) {}
  void write(std::uint64_t offset, std::span<const std::uint8_t> bytes) override {
    std::ranges::copy(bytes, place(offset));
  }
  std::uint8_t* place(std::uint64_t offset) noexcept override { return bytes_->data() + offset; }
  void finish(bool) override {
    const Bytes text = header_text(header_);
    std::ranges::copy(text, bytes_->begin());
    std::ranges::copy(text, bytes_->end() - static_cast<std::ptrdiff_t>(text.size()));
  }
  void publish() override { memory_[file_name(header_)] = bytes_; }

 private:
  Memory& memory_;
  ShardHeader header_;
  std::shared_ptr<Bytes> bytes_;
};

class MemoryBackend : public Store::Backend {
 public:
  std::vector<StoredShard> list(const std::string& label) override {
    std::vector<StoredShard> shards;
    for (const auto& [name, bytes] : memory_) {
      auto header = read_header(*bytes);
      if (!header) continue;
      const auto of = set_name_of(header->name);
      if (of && of->label == label) shards.push_back({*std::move(header), false});
    }
    return shards;
  }
  void remove_leftovers() override {}
  std::unique_ptr<ShardReader> open(const ShardHeader& header) override {
    return std::make_unique<MemoryReader>(memory_.at(file_name(header)));
  }
  std::unique_ptr<ShardWriter> create(const ShardHeader& header) override {
    return std::make_unique<MemoryWriter>(memory_, header);
  }
  void publish(const StoredShard&) override {}
  void remove(const StoredShard& shard) override { memory_.erase(file_name(shard.header)); }
  void sync() override {}

 private:
  Memory memory_;
};

}  // namespace

Store Store::directory(std::string path) {
  return Store(std::make_shared<DirectoryBackend>(std::move(path)));
}

Store Store::memory() { return Store(std::make_shared<MemoryBackend>()); }

}  // namespace xorloom::mpi
