# The toolchain of the presets aarch64, riscv64 and s390x. XORLOOM_TARGET is what the cross compilers of Debian call
# the target, such as aarch64-linux-gnu. XORLOOM_ROOT has the headers and libraries of the target; scripts/cross makes
# it. What was built runs under qemu, by the loader of that root. An option -L of qemu would lead calls astray that name
# a directory which the root has, too.

set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES XORLOOM_TARGET XORLOOM_ROOT)
string(REGEX MATCH "^[^-]+" processor "${XORLOOM_TARGET}")
if(NOT EXISTS ${XORLOOM_ROOT}/usr/include)
  message(FATAL_ERROR "${XORLOOM_ROOT} has no headers of ${XORLOOM_TARGET}: "
                      "scripts/cross ${processor} --root installs them")
endif()

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${processor})
set(CMAKE_C_COMPILER ${XORLOOM_TARGET}-gcc)
set(CMAKE_CXX_COMPILER ${XORLOOM_TARGET}-g++)
set(CMAKE_SYSROOT ${XORLOOM_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind IN ITEMS LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${XORLOOM_ROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${XORLOOM_ROOT}/usr/lib/${XORLOOM_TARGET}/pkgconfig:${XORLOOM_ROOT}/usr/share/pkgconfig)

# Libraries of libraries are found by the path in the program, too. Installed files have none.
set(CMAKE_BUILD_RPATH ${XORLOOM_ROOT}/lib/${XORLOOM_TARGET} ${XORLOOM_ROOT}/usr/lib/${XORLOOM_TARGET})
# Those of a newer release want functions of the root's C and C++ libraries that the compiler's own lack.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--disable-new-dtags -Wl,--allow-shlib-undefined")
file(GLOB loader ${XORLOOM_ROOT}/lib/ld*.so.1)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${processor}-static -E XORLOOM_EMULATED=1 ${loader})
