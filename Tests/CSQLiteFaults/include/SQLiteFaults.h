#ifndef SQLITE_FAULTS_H
#define SQLITE_FAULTS_H

// SQLite's calls to the file system that can be made to fail.
enum sqlite_faults_call {
  sqlite_faults_read = 1,
  sqlite_faults_write = 2,
  sqlite_faults_sync = 4,
  sqlite_faults_truncate = 8,
  sqlite_faults_lock = 16,
  sqlite_faults_open = 32,
  sqlite_faults_remove = 64,
  sqlite_faults_shared_memory = 128,
  sqlite_faults_examine = 256,
};

// Puts a layer over SQLite's file system, once for the process. Returns SQLite's result code.
int sqlite_faults_install(void);

// Counts the calls for files below a folder, and makes some fail with a result code: the n-th of the kinds in `calls`,
// counted from 1, or with `for_good` all from the n-th on. 0 only counts.
void sqlite_faults_begin(const char *folder, unsigned calls, long nth, int code, int for_good);

// Ends that. Returns the number of calls that were counted.
long sqlite_faults_end(void);

#endif
