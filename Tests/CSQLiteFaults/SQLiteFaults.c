#include "SQLiteFaults.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sqlite3_vfs layer;
static sqlite3_vfs *system_files;

static char watched[1024];
static atomic_flag is_active = ATOMIC_FLAG_INIT;
static atomic_uint calls;
static atomic_long nth, counted;
static atomic_int code, for_good;

typedef struct {
  sqlite3_file base;
  int is_watched;
  sqlite3_file *file;
} faulty_file;

static int is_watched(const char *path) { return path && watched[0] && strncmp(path, watched, strlen(watched)) == 0; }

static int fault(int watched_file, unsigned call) {
  if (!watched_file || !(atomic_load(&calls) & call)) return SQLITE_OK;
  long number = atomic_fetch_add(&counted, 1) + 1, wanted = atomic_load(&nth);
  if (wanted == 0 || number < wanted || (number > wanted && !atomic_load(&for_good))) return SQLITE_OK;
  return atomic_load(&code);
}

#define FILE_OF(f) (((faulty_file *)(f))->file)
#define FAIL(f, call)                                        \
  do {                                                       \
    int rc = fault(((faulty_file *)(f))->is_watched, call); \
    if (rc != SQLITE_OK) return rc;                          \
  } while (0)

static int file_close(sqlite3_file *f) { return FILE_OF(f)->pMethods->xClose(FILE_OF(f)); }
static int file_read(sqlite3_file *f, void *bytes, int count, sqlite3_int64 offset) {
  FAIL(f, sqlite_faults_read);
  return FILE_OF(f)->pMethods->xRead(FILE_OF(f), bytes, count, offset);
}
static int file_write(sqlite3_file *f, const void *bytes, int count, sqlite3_int64 offset) {
  FAIL(f, sqlite_faults_write);
  return FILE_OF(f)->pMethods->xWrite(FILE_OF(f), bytes, count, offset);
}
static int file_truncate(sqlite3_file *f, sqlite3_int64 size) {
  FAIL(f, sqlite_faults_truncate);
  return FILE_OF(f)->pMethods->xTruncate(FILE_OF(f), size);
}
static int file_sync(sqlite3_file *f, int flags) {
  FAIL(f, sqlite_faults_sync);
  return FILE_OF(f)->pMethods->xSync(FILE_OF(f), flags);
}
static int file_size(sqlite3_file *f, sqlite3_int64 *size) {
  FAIL(f, sqlite_faults_examine);
  return FILE_OF(f)->pMethods->xFileSize(FILE_OF(f), size);
}
static int file_lock(sqlite3_file *f, int level) {
  FAIL(f, sqlite_faults_lock);
  return FILE_OF(f)->pMethods->xLock(FILE_OF(f), level);
}
static int file_unlock(sqlite3_file *f, int level) { return FILE_OF(f)->pMethods->xUnlock(FILE_OF(f), level); }
static int file_check_lock(sqlite3_file *f, int *result) {
  return FILE_OF(f)->pMethods->xCheckReservedLock(FILE_OF(f), result);
}
static int file_control(sqlite3_file *f, int op, void *argument) {
  return FILE_OF(f)->pMethods->xFileControl(FILE_OF(f), op, argument);
}
static int file_sector_size(sqlite3_file *f) { return FILE_OF(f)->pMethods->xSectorSize(FILE_OF(f)); }
static int file_characteristics(sqlite3_file *f) {
  return FILE_OF(f)->pMethods->xDeviceCharacteristics(FILE_OF(f));
}
static int file_shm_map(sqlite3_file *f, int region, int size, int extend, void volatile **memory) {
  FAIL(f, sqlite_faults_shared_memory);
  return FILE_OF(f)->pMethods->xShmMap(FILE_OF(f), region, size, extend, memory);
}
static int file_shm_lock(sqlite3_file *f, int offset, int count, int flags) {
  // Letting go of a lock cannot fail.
  if (flags & SQLITE_SHM_LOCK) FAIL(f, sqlite_faults_lock);
  return FILE_OF(f)->pMethods->xShmLock(FILE_OF(f), offset, count, flags);
}
static void file_shm_barrier(sqlite3_file *f) { FILE_OF(f)->pMethods->xShmBarrier(FILE_OF(f)); }
static int file_shm_unmap(sqlite3_file *f, int remove) {
  return FILE_OF(f)->pMethods->xShmUnmap(FILE_OF(f), remove);
}

static const sqlite3_io_methods methods = {
    2,         file_close,      file_read,     file_write,      file_truncate,    file_sync,
    file_size, file_lock,       file_unlock,   file_check_lock, file_control,     file_sector_size,
    file_characteristics, file_shm_map, file_shm_lock, file_shm_barrier, file_shm_unmap,
};

static int layer_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *f, int flags, int *result) {
  faulty_file *file = (faulty_file *)f;
  memset(file, 0, sizeof *file);
  file->is_watched = is_watched(path);
  file->file = (sqlite3_file *)(file + 1);
  int rc = fault(file->is_watched, sqlite_faults_open);
  if (rc == SQLITE_OK) rc = system_files->xOpen(system_files, path, file->file, flags, result);
  if (rc == SQLITE_OK) file->base.pMethods = &methods;
  return rc;
}
static int layer_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
  int rc = fault(is_watched(path), sqlite_faults_remove);
  return rc != SQLITE_OK ? rc : system_files->xDelete(system_files, path, syncs);
}
static int layer_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
  int rc = fault(is_watched(path), sqlite_faults_examine);
  return rc != SQLITE_OK ? rc : system_files->xAccess(system_files, path, flags, result);
}

int sqlite_faults_install(void) {
  if (system_files) return SQLITE_OK;
  int rc = sqlite3_initialize();
  if (rc != SQLITE_OK) return rc;
  system_files = sqlite3_vfs_find(0);
  layer = *system_files;
  layer.zName = "faults";
  layer.pNext = 0;
  layer.szOsFile = (int)sizeof(faulty_file) + system_files->szOsFile;
  layer.xOpen = layer_open;
  layer.xDelete = layer_delete;
  layer.xAccess = layer_access;
  return sqlite3_vfs_register(&layer, 1);
}

void sqlite_faults_begin(const char *folder, unsigned kinds, long number, int result, int lasting) {
  if (atomic_flag_test_and_set(&is_active)) {
    fputs("two tests make SQLite's calls fail at a time: put both into the serialized suite\n", stderr);
    abort();
  }
  strncpy(watched, folder, sizeof watched - 1);
  atomic_store(&counted, 0);
  atomic_store(&nth, number);
  atomic_store(&code, result);
  atomic_store(&for_good, lasting);
  atomic_store(&calls, kinds);
}

long sqlite_faults_end(void) {
  atomic_store(&calls, 0);
  long number = atomic_load(&counted);
  atomic_flag_clear(&is_active);
  return number;
}
