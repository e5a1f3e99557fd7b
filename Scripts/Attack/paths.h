// Detects calls that concern files below one of the folders, however the files are named.
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// The folders, separated by colons.
static char folders[2 * PATH_MAX];

static int is_below(const char *path) {
  for (const char *folder = folders; *folder;) {
    size_t length = strcspn(folder, ":");
    if (length && !strncmp(path, folder, length) && (path[length] == '/' || path[length] == 0)) return 1;
    folder += length + (folder[length] == ':');
  }
  return 0;
}

static int path_of(int file, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t count = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
  if (count < 0) return 0;
  path[count] = 0;
  return 1;
}

static int concerns(int base, const char *name, char *path) {
  if (!folders[0]) return 0;
  if (!name) return path_of(base, path) && is_below(path);
  if (name[0] == '/') {
    snprintf(path, PATH_MAX, "%s", name);
  } else {
    char start[PATH_MAX];
    if (base == AT_FDCWD ? syscall(SYS_getcwd, start, sizeof start) < 0 : !path_of(base, start)) return 0;
    if (snprintf(path, PATH_MAX, "%s/%s", start, name) >= PATH_MAX) return 0;
  }
  return is_below(path);
}
