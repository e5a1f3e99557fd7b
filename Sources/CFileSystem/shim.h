#pragma once

#include <errno.h>
#include <fcntl.h>

#define HEAVYLIFT_RENAME_NOREPLACE 1
#define HEAVYLIFT_RENAME_EXCHANGE 2

#ifdef __linux__
#include <sys/ioctl.h>
#include <sys/xattr.h>

#ifndef O_TMPFILE
#define O_TMPFILE (020000000 | O_DIRECTORY)
#endif

#ifndef FICLONE
#define FICLONE _IOW(0x94, 9, int)
#endif

// The C library declares it only for `_GNU_SOURCE`, which Swift does not define.
extern int renameat2(int, const char *, int, const char *, unsigned int);
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

/// Makes a new file share the blocks of another one. If the system or the file system cannot do that, it fails, and the
/// file stays empty.
static inline int heavylift_clone(int copy, int original) {
#ifdef __linux__
  return ioctl(copy, FICLONE, original);
#else
  errno = ENOSYS;
  return -1;
#endif
}

/// Opens a new file that has no name yet, and vanishes with its last descriptor. If the system or the file system cannot
/// do that, it fails.
static inline int heavylift_open_unnamed(const char *folder, unsigned int mode) {
#ifdef __linux__
  return open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
#else
  errno = ENOSYS;
  return -1;
#endif
}
