// Records every change that a process makes to files below some folders, with its bytes, in the order of the changes.
//
// Preloaded (LD_PRELOAD). ATTACK_FOLDERS: the folders, separated by colons. ATTACK_TRACE: the file that gets the
// records, each a line with the call, the path, the second path, the offset and the number of bytes, separated by tabs,
// and then the bytes.
#define _GNU_SOURCE
#include "paths.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

static int log_file = -1;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
  const char *value = getenv("ATTACK_FOLDERS");
  if (!value) return;
  strncpy(folders, value, sizeof folders - 1);
  value = getenv("ATTACK_TRACE");
  if (value) log_file = (int)syscall(SYS_openat, AT_FDCWD, value, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void put(const void *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    long written = syscall(SYS_write, log_file, (const char *)bytes + done, count - done);
    if (written <= 0) abort();
    done += (size_t)written;
  }
}

static void record(const char *call, const char *path, const char *second, long long offset, const void *bytes,
                   size_t count) {
  int before = errno;
  char line[2 * PATH_MAX + 100];
  int length = snprintf(line, sizeof line, "%s\t%s\t%s\t%lld\t%zu\n", call, path, second ? second : "", offset,
                        bytes ? count : 0);
  put(line, (size_t)length);
  if (bytes) put(bytes, count);
  errno = before;
}

#define REAL(name) \
  static __typeof__(name) *real; \
  if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

// Makes a change and records it, with no other change in between.
#define ORDERED(type, call, is_done, recording) \
  pthread_mutex_lock(&order); \
  type result = call; \
  if (is_done) recording; \
  pthread_mutex_unlock(&order); \
  return result

ssize_t write(int f, const void *b, size_t n) {
  REAL(write);
  char path[PATH_MAX];
  if (!concerns(f, NULL, path)) return real(f, b, n);
  off_t offset = lseek(f, 0, fcntl(f, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR);
  ORDERED(ssize_t, real(f, b, n), result > 0, record("write", path, NULL, offset, b, (size_t)result));
}

#define PWRITE(name, offset_type) \
  ssize_t name(int f, const void *b, size_t n, offset_type o) { \
    REAL(name); \
    char path[PATH_MAX]; \
    if (!concerns(f, NULL, path)) return real(f, b, n, o); \
    ORDERED(ssize_t, real(f, b, n, o), result > 0, record("write", path, NULL, o, b, (size_t)result)); \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

// The kernel copied the bytes, so they are read back.
static void record_copied(int f, const char *path, off64_t start, ssize_t count) {
  char *bytes = malloc((size_t)count);
  if (!bytes || syscall(SYS_pread64, f, bytes, (size_t)count, start) != count) {
    // The descriptor is only open for writing.
    int again = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (syscall(SYS_pread64, again, bytes, (size_t)count, start) != count) abort();
    close(again);
  }
  record("write", path, NULL, start, bytes, (size_t)count);
  free(bytes);
}

ssize_t copy_file_range(int i, off64_t *p, int f, off64_t *o, size_t n, unsigned flags) {
  REAL(copy_file_range);
  char path[PATH_MAX];
  if (!concerns(f, NULL, path)) return real(i, p, f, o, n, flags);
  off64_t start = o ? *o : lseek(f, 0, SEEK_CUR);
  ORDERED(ssize_t, real(i, p, f, o, n, flags), result > 0, record_copied(f, path, start, result));
}

ssize_t sendfile(int f, int i, off_t *p, size_t n) {
  REAL(sendfile);
  char path[PATH_MAX];
  if (!concerns(f, NULL, path)) return real(f, i, p, n);
  off_t start = lseek(f, 0, SEEK_CUR);
  ORDERED(ssize_t, real(f, i, p, n), result > 0, record_copied(f, path, start, result));
}

#define BY_FILE(name, parameters, label, f, offset, arguments) \
  int name parameters { \
    REAL(name); \
    char path[PATH_MAX]; \
    if (!concerns(f, NULL, path)) return real arguments; \
    ORDERED(int, real arguments, result == 0, record(label, path, NULL, offset, NULL, 0)); \
  }
BY_FILE(ftruncate, (int f, off_t n), "truncate", f, n, (f, n))
BY_FILE(ftruncate64, (int f, off64_t n), "truncate", f, n, (f, n))
BY_FILE(fsync, (int f), "sync", f, 0, (f))
BY_FILE(fdatasync, (int f), "sync", f, 0, (f))

#define BY_NAME(name, parameters, label, base, named, arguments) \
  int name parameters { \
    REAL(name); \
    char path[PATH_MAX]; \
    if (!concerns(base, named, path)) return real arguments; \
    ORDERED(int, real arguments, result == 0, record(label, path, NULL, 0, NULL, 0)); \
  }
BY_NAME(unlink, (const char *p), "remove", AT_FDCWD, p, (p))
BY_NAME(unlinkat, (int d, const char *p, int g), "remove", d, p, (d, p, g))
BY_NAME(rmdir, (const char *p), "remove", AT_FDCWD, p, (p))
BY_NAME(mkdir, (const char *p, mode_t m), "folder", AT_FDCWD, p, (p, m))
BY_NAME(mkdirat, (int d, const char *p, mode_t m), "folder", d, p, (d, p, m))

// The offset says whether the names are exchanged.
#define BY_NAMES(name, parameters, label, old_base, old, new_base, new, flags, arguments) \
  int name parameters { \
    REAL(name); \
    char from[PATH_MAX], to[PATH_MAX]; \
    if (!concerns(new_base, new, to)) return real arguments; \
    concerns(old_base, old, from); \
    ORDERED(int, real arguments, result == 0, record(label, from, to, flags, NULL, 0)); \
  }
BY_NAMES(rename, (const char *o, const char *p), "rename", AT_FDCWD, o, AT_FDCWD, p, 0, (o, p))
BY_NAMES(renameat, (int e, const char *o, int d, const char *p), "rename", e, o, d, p, 0, (e, o, d, p))
BY_NAMES(renameat2, (int e, const char *o, int d, const char *p, unsigned g), "rename", e, o, d, p, (g & 2) != 0,
         (e, o, d, p, g))
BY_NAMES(link, (const char *o, const char *p), "link", AT_FDCWD, o, AT_FDCWD, p, 0, (o, p))
BY_NAMES(linkat, (int e, const char *o, int d, const char *p, int g), "link", e, o, d, p, 0, (e, o, d, p, g))

#define OPEN(name, base, parameters, ...) \
  int name(parameters, int flags, ...) { \
    REAL(name); \
    va_list rest; \
    va_start(rest, flags); \
    mode_t rights = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    char path[PATH_MAX]; \
    if (!(flags & (O_CREAT | O_TRUNC)) || !concerns(base, name_of, path)) return real(__VA_ARGS__, flags, rights); \
    ORDERED(int, real(__VA_ARGS__, flags, rights), result >= 0, \
            record("open", path, NULL, (flags & O_TRUNC) != 0, NULL, 0)); \
  }
#define COMMA ,
OPEN(open, AT_FDCWD, const char *name_of, name_of)
OPEN(open64, AT_FDCWD, const char *name_of, name_of)
OPEN(openat, base, int base COMMA const char *name_of, base, name_of)
OPEN(openat64, base, int base COMMA const char *name_of, base, name_of)
