#include "tests/cli/mounted_image.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>

namespace xorloom::test {
namespace {

/// Commands that make a file system in the file "image", and mount it at "other" from the device
/// $loop.
struct ImageCommands {
  const char* maker;    ///< a program that must be installed
  const char* mounter;  ///< another program that must be installed
  const char* options;  ///< the maker's arguments before the image
  const char* mount;    ///< lines of shell that mount the image
  const char* not_installed;
};

ImageCommands commands_of(ImageKind kind) {
  switch (kind) {
    case ImageKind::kExfat:
      return {"mkfs.exfat", "mount.exfat-fuse", "", "mount.exfat-fuse $loop other",
              "SKIPPED: exfat-fuse, exfatprogs or ntfs-3g is not installed"};
    case ImageKind::kNtfs:
      return {"mkfs.ntfs", "mount.lowntfs-3g", "-F -q -s 512",
              "mount.lowntfs-3g $loop other -o ignore_case,permissions",
              "SKIPPED: exfat-fuse, exfatprogs or ntfs-3g is not installed"};
    case ImageKind::kExt4:
      break;
  }
  // ext4 with casefold ignores case only in directories that were marked (chattr +F) while empty.
  return {"mkfs.ext4", "chattr", "-q -O casefold",
          "mount $loop other && mkdir other/folded && chattr +F other/folded && "
          "mount --bind other/folded other",
          "SKIPPED: e2fsprogs is not installed"};
}

}  // namespace

bool run_on_image(const TemporaryFolder& folder, ImageKind kind, const std::string& lines,
                  Outcome& outcome) {
  const ImageCommands commands = commands_of(kind);
  write_file(folder / "lines",
             fmt::format("mkdir other; truncate -s 32M image\n"
                         "{} {} image > log 2>&1 && loop=$(losetup -f --show image) || exit 0\n"
                         "trap 'cd /; while umount \"$here/other\" 2> \"$here/log\"; do :; done; "
                         "losetup -d $loop' EXIT; here=$PWD\n"
                         "{{ {}; }} > log 2>&1 && touch mounted || exit 0\n{}\n",
                         commands.maker, commands.options, commands.mount, lines));
  outcome = shell(fmt::format("export xorloom PATH=$PATH:/sbin:/usr/sbin; command -v {} > log && "
                              "command -v {} > log && touch installed && unshare -m bash lines",
                              commands.maker, commands.mounter),
                  folder.path());
  if (std::filesystem::exists(folder / "mounted")) return true;
  if (!std::filesystem::exists(folder / "installed")) {
    MESSAGE(commands.not_installed);
  } else if (kind == ImageKind::kExt4 &&
             !std::filesystem::exists("/sys/fs/ext4/features/casefold")) {
    MESSAGE("SKIPPED: this kernel has no ext4 that ignores case");
  } else {
    MESSAGE("SKIPPED: no image of a file system can be mounted here");
  }
  return false;
}

}  // namespace xorloom::test
