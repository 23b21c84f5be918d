#include "tests/cli/mounted_image.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>

namespace xorloom::test {

bool run_on_image(const TemporaryFolder& folder, ImageKind kind, const std::string& lines,
                  Outcome& outcome) {
  const bool is_exfat = kind == ImageKind::kExfat;
  const char* const make = is_exfat ? "mkfs.exfat image" : "mkfs.ntfs -F -q -s 512 image";
  const char* const mount = is_exfat ? "mount.exfat-fuse $loop other"
                                     : "mount.lowntfs-3g $loop other -o ignore_case,permissions";
  write_file(folder / "lines",
             fmt::format("mkdir other; truncate -s 32M image\n"
                         "{0} > log 2>&1 && loop=$(losetup -f --show image) || exit 0\n"
                         "trap 'cd /; umount \"$here/other\"; losetup -d $loop' EXIT; here=$PWD\n"
                         "{1} > log 2>&1 && touch mounted || exit 0\n{2}\n",
                         make, mount, lines));
  outcome = shell(fmt::format("export xorloom PATH=$PATH:/sbin:/usr/sbin; command -v {} > log && "
                              "command -v {} > log && touch installed && unshare -m bash lines",
                              is_exfat ? "mkfs.exfat" : "mkfs.ntfs",
                              is_exfat ? "mount.exfat-fuse" : "mount.lowntfs-3g"),
                  folder.path());
  if (std::filesystem::exists(folder / "mounted")) return true;
  if (!std::filesystem::exists(folder / "installed")) {
    MESSAGE("SKIPPED: exfat-fuse, exfatprogs or ntfs-3g is not installed");
  } else {
    MESSAGE("SKIPPED: no image of a file system can be mounted here");
  }
  return false;
}

}  // namespace xorloom::test
