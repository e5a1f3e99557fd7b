// Counts the calls that a process makes for files below some folders. At one call, kills or stops it, or fails the
// call.
//
// Preloaded (LD_PRELOAD). ATTACK_FOLDERS: the folders, separated by colons. ATTACK_LOG: a file outside them that gets a
// line for each call. ATTACK_MODE: count, kill (before the call), stop (before the call, until SIGCONT), torn (half of
// a write, then kill), errno, errno-for-good, short (half of a write, once). ATTACK_CALLS: changing, reading, locking
// or all. ATTACK_NTH: the call, counted from 1. ATTACK_ERRNO: a number.
#define _GNU_SOURCE
#include "paths.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/xattr.h>

enum { CHANGING = 1, READING = 2, LOCKING = 4 };
enum mode { COUNT, KILL, STOP, TORN, ERRNO, ERRNO_FOR_GOOD, SHORT };

static enum mode mode;
static int kinds, fault_errno, log_file = -1;
static long nth;
static atomic_long counted;

__attribute__((constructor)) static void begin(void) {
  static const char *const modes[] = {"count", "kill", "stop", "torn", "errno", "errno-for-good", "short"};
  const char *value = getenv("ATTACK_FOLDERS");
  if (!value) return;
  strncpy(folders, value, sizeof folders - 1);
  value = getenv("ATTACK_MODE");
  for (int index = 0; value && index < 7; index++)
    if (!strcmp(value, modes[index])) mode = (enum mode)index;
  value = getenv("ATTACK_CALLS");
  static const char *const calls[] = {"changing", "reading", "locking", "all"};
  static const int wanted[] = {CHANGING, READING, LOCKING, CHANGING | READING | LOCKING};
  for (int index = 0; value && index < 4; index++)
    if (!strcmp(value, calls[index])) kinds = wanted[index];
  value = getenv("ATTACK_NTH");
  nth = value ? atol(value) : 0;
  value = getenv("ATTACK_ERRNO");
  fault_errno = value ? atoi(value) : EIO;
  value = getenv("ATTACK_LOG");
  if (value) log_file = (int)syscall(SYS_openat, AT_FDCWD, value, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

// The fate of a call: 0: made, -1: fails with errno, 1: half of it is made, then the process is killed, 2: half of it
// is made.
static int fate(int kind, const char *call, int base, const char *name) {
  char path[PATH_MAX];
  int before = errno;
  if (!(kinds & kind) || !concerns(base, name, path)) return errno = before, 0;
  long number = atomic_fetch_add(&counted, 1) + 1;
  if (log_file >= 0) {
    char line[PATH_MAX + 64];
    int count = snprintf(line, sizeof line, "%ld %s %s\n", number, call, path);
    syscall(SYS_write, log_file, line, count);
  }
  errno = before;
  if (mode == COUNT || number < nth || (number > nth && mode != ERRNO_FOR_GOOD)) return 0;
  int is_write = strstr(call, "write") != 0;
  if (mode == STOP) return kill(getpid(), SIGSTOP), errno = before, 0;
  if (mode == KILL || (mode == TORN && !is_write)) kill(getpid(), SIGKILL);
  if (mode == TORN) return 1;
  if (mode == SHORT) return is_write ? 2 : 0;
  errno = fault_errno;
  return -1;
}

#define REAL(name) \
  static __typeof__(name) *real; \
  if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#define PLAIN(kind, type, name, parameters, base, path, arguments) \
  type name parameters { \
    REAL(name); \
    return fate(kind, #name, base, path) < 0 ? (type)-1 : real arguments; \
  }

// Writes: the only calls that can be made by half.
#define WRITE(name, parameters, file, count, whole, half) \
  ssize_t name parameters { \
    REAL(name); \
    int fated = fate(CHANGING, #name, file, NULL); \
    if (fated < 0) return -1; \
    if (fated == 0 || count < 2) return real whole; \
    ssize_t done = real half; \
    if (fated == 1) kill(getpid(), SIGKILL); \
    return done; \
  }

WRITE(write, (int f, const void *b, size_t n), f, n, (f, b, n), (f, b, n / 2))
WRITE(pwrite, (int f, const void *b, size_t n, off_t o), f, n, (f, b, n, o), (f, b, n / 2, o))
WRITE(pwrite64, (int f, const void *b, size_t n, off64_t o), f, n, (f, b, n, o), (f, b, n / 2, o))
WRITE(copy_file_range, (int i, off64_t *p, int f, off64_t *o, size_t n, unsigned g), f, n, (i, p, f, o, n, g),
      (i, p, f, o, n / 2, g))

PLAIN(CHANGING, int, ftruncate, (int f, off_t n), f, NULL, (f, n))
PLAIN(CHANGING, int, ftruncate64, (int f, off64_t n), f, NULL, (f, n))
PLAIN(CHANGING, int, fsync, (int f), f, NULL, (f))
PLAIN(CHANGING, int, fdatasync, (int f), f, NULL, (f))
PLAIN(CHANGING, int, fchmod, (int f, mode_t m), f, NULL, (f, m))
PLAIN(CHANGING, int, fchown, (int f, uid_t u, gid_t g), f, NULL, (f, u, g))
PLAIN(CHANGING, int, unlink, (const char *p), AT_FDCWD, p, (p))
PLAIN(CHANGING, int, unlinkat, (int d, const char *p, int g), d, p, (d, p, g))
PLAIN(CHANGING, int, rmdir, (const char *p), AT_FDCWD, p, (p))
PLAIN(CHANGING, int, mkdir, (const char *p, mode_t m), AT_FDCWD, p, (p, m))
PLAIN(CHANGING, int, mkdirat, (int d, const char *p, mode_t m), d, p, (d, p, m))
PLAIN(CHANGING, int, rename, (const char *o, const char *p), AT_FDCWD, p, (o, p))
PLAIN(CHANGING, int, renameat, (int e, const char *o, int d, const char *p), d, p, (e, o, d, p))
PLAIN(CHANGING, int, renameat2, (int e, const char *o, int d, const char *p, unsigned g), d, p, (e, o, d, p, g))
PLAIN(CHANGING, int, link, (const char *o, const char *p), AT_FDCWD, p, (o, p))
PLAIN(CHANGING, int, linkat, (int e, const char *o, int d, const char *p, int g), d, p, (e, o, d, p, g))
PLAIN(CHANGING, int, fsetxattr, (int f, const char *k, const void *v, size_t n, int g), f, NULL, (f, k, v, n, g))

PLAIN(READING, ssize_t, read, (int f, void *b, size_t n), f, NULL, (f, b, n))
PLAIN(READING, ssize_t, pread, (int f, void *b, size_t n, off_t o), f, NULL, (f, b, n, o))
PLAIN(READING, ssize_t, pread64, (int f, void *b, size_t n, off64_t o), f, NULL, (f, b, n, o))
PLAIN(READING, int, stat, (const char *p, struct stat *s), AT_FDCWD, p, (p, s))
PLAIN(READING, int, lstat, (const char *p, struct stat *s), AT_FDCWD, p, (p, s))
PLAIN(READING, int, fstat, (int f, struct stat *s), f, NULL, (f, s))
PLAIN(READING, int, fstatat, (int d, const char *p, struct stat *s, int g), d, p, (d, p, s, g))
PLAIN(READING, int, stat64, (const char *p, struct stat64 *s), AT_FDCWD, p, (p, s))
PLAIN(READING, int, lstat64, (const char *p, struct stat64 *s), AT_FDCWD, p, (p, s))
PLAIN(READING, int, fstat64, (int f, struct stat64 *s), f, NULL, (f, s))
PLAIN(READING, int, fstatat64, (int d, const char *p, struct stat64 *s, int g), d, p, (d, p, s, g))
PLAIN(READING, int, access, (const char *p, int m), AT_FDCWD, p, (p, m))
PLAIN(READING, int, faccessat, (int d, const char *p, int m, int g), d, p, (d, p, m, g))

static int opening_kind(int flags) { return flags & (O_CREAT | O_TRUNC) ? CHANGING : READING; }
static int makes_file(int flags) { return flags & (O_CREAT | O_TMPFILE); }

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    va_list rest; \
    va_start(rest, flags); \
    mode_t rights = makes_file(flags) ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    return fate(opening_kind(flags), #name, AT_FDCWD, path) < 0 ? -1 : real(path, flags, rights); \
  }
#define OPENAT(name) \
  int name(int base, const char *path, int flags, ...) { \
    REAL(name); \
    va_list rest; \
    va_start(rest, flags); \
    mode_t rights = makes_file(flags) ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    return fate(opening_kind(flags), #name, base, path) < 0 ? -1 : real(base, path, flags, rights); \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

DIR *opendir(const char *path) {
  REAL(opendir);
  return fate(READING, "opendir", AT_FDCWD, path) < 0 ? NULL : real(path);
}

// The end of a folder and an error look the same except for errno.
#define READDIR(name, type) \
  struct type *name(DIR *stream) { \
    REAL(name); \
    return fate(READING, #name, dirfd(stream), NULL) < 0 ? NULL : real(stream); \
  }
READDIR(readdir, dirent)
READDIR(readdir64, dirent64)

// Locks and leases.
static const char *locking_call(int command) {
  switch (command) {
    case F_SETLK: case F_SETLKW: return "F_SETLK";
    case F_OFD_SETLK: case F_OFD_SETLKW: return "F_OFD_SETLK";
    case F_GETLK: case F_OFD_GETLK: return "F_GETLK";
    case F_SETLEASE: return "F_SETLEASE";
    case F_GETLEASE: return "F_GETLEASE";
    default: return NULL;
  }
}

#define FCNTL(name) \
  int name(int file, int command, ...) { \
    REAL(name); \
    va_list rest; \
    va_start(rest, command); \
    void *argument = va_arg(rest, void *); \
    va_end(rest); \
    const char *call = locking_call(command); \
    return call && fate(LOCKING, call, file, NULL) < 0 ? -1 : real(file, command, argument); \
  }
FCNTL(fcntl)
FCNTL(fcntl64)
