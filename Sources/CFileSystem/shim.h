#pragma once

#include <errno.h>
#include <sys/types.h>

#define HEAVYLIFT_RENAME_NOREPLACE 1
#define HEAVYLIFT_RENAME_EXCHANGE 2

#ifdef __linux__
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/xattr.h>

// The C library declares them only for `_GNU_SOURCE`, which Swift does not define.
extern int renameat2(int, const char *, int, const char *, unsigned int);
extern ssize_t copy_file_range(int, __off64_t *, int, __off64_t *, size_t, unsigned int);
#endif

/// Renames without replacing an existing file, or exchanges two names. If the system or the file system cannot do that,
/// it fails with `EINVAL` or `ENOSYS`.
static inline int heavylift_rename(
    int folder, const char *name, int target_folder, const char *target, unsigned int how) {
#ifdef __linux__
  return renameat2(folder, name, target_folder, target, how);
#else
  errno = ENOSYS;
  return -1;
#endif
}

/// Makes an empty file share all blocks of another one. If the file system cannot do that, it fails with `EOPNOTSUPP`,
/// `EINVAL`, `ENOTTY`, `ENOSYS` or `EXDEV`.
static inline int heavylift_share_blocks(int input, int output) {
#ifdef __linux__
  return ioctl(output, FICLONE, input);
#else
  errno = ENOSYS;
  return -1;
#endif
}

/// Copies bytes from one file to another within the kernel, and moves both positions. If the system or the file system
/// cannot do that, it fails with `EOPNOTSUPP`, `EINVAL`, `ENOSYS` or `EXDEV`.
static inline ssize_t heavylift_copy_bytes(int input, int output, size_t count) {
#ifdef __linux__
  return copy_file_range(input, (__off64_t *)0, output, (__off64_t *)0, count, 0);
#else
  errno = ENOSYS;
  return -1;
#endif
}
