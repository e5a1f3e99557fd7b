// Reports each descriptor that a process closes while it holds locks on the same file through another descriptor: POSIX
// releases all of them. SQLite then reads or writes without the lock that it believes it has.
//
// Preloaded (LD_PRELOAD). ATTACK_LOG is a file that gets a line for each.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct lock {
  bool is_held;
  dev_t device;
  ino_t inode;
  int descriptor;
  off_t start, end;
} locks[4096];
static const int most = sizeof locks / sizeof *locks;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void note(int descriptor, const struct flock *wanted) {
  struct stat status;
  if (fstat(descriptor, &status) || wanted->l_whence != SEEK_SET) return;
  off_t end = wanted->l_len ? wanted->l_start + wanted->l_len : (off_t)1 << 62;
  pthread_mutex_lock(&mutex);
  struct lock *free_place = NULL;
  for (int number = 0; number < most; number++) {
    struct lock *lock = &locks[number];
    // SQLite never unlocks part of a range that it locked as a whole.
    if (lock->is_held && lock->device == status.st_dev && lock->inode == status.st_ino && lock->start >= wanted->l_start
        && lock->end <= end)
      lock->is_held = false;
    if (!lock->is_held && !free_place) free_place = lock;
  }
  if (wanted->l_type != F_UNLCK && free_place)
    *free_place = (struct lock){true, status.st_dev, status.st_ino, descriptor, wanted->l_start, end};
  pthread_mutex_unlock(&mutex);
}

static void report(int descriptor) {
  const char *log = getenv("ATTACK_LOG");
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = 0;
  FILE *file = log ? fopen(log, "a") : NULL;
  if (!file) return;
  fprintf(file, "%s\n", path);
  fclose(file);
}

int fcntl(int descriptor, int command, ...) {
  static int (*real)(int, int, ...);
  if (!real) real = dlsym(RTLD_NEXT, "fcntl");
  va_list arguments;
  va_start(arguments, command);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  int result = real(descriptor, command, argument);
  if (result == 0 && (command == F_SETLK || command == F_SETLKW)) note(descriptor, argument);
  return result;
}

int fcntl64(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  return fcntl(descriptor, command, argument);
}

int close(int descriptor) {
  static int (*real)(int);
  if (!real) real = dlsym(RTLD_NEXT, "close");
  struct stat status;
  bool is_lost = false;
  if (!fstat(descriptor, &status) && S_ISREG(status.st_mode)) {
    pthread_mutex_lock(&mutex);
    for (int number = 0; number < most; number++) {
      struct lock *lock = &locks[number];
      if (!lock->is_held || lock->device != status.st_dev || lock->inode != status.st_ino) continue;
      is_lost |= lock->descriptor != descriptor;
      lock->is_held = false;
    }
    pthread_mutex_unlock(&mutex);
  }
  if (is_lost) report(descriptor);
  return real(descriptor);
}
