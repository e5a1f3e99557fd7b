// A program that uses a store while it is migrated, until it gets SIGTERM.
//
// program ACTION STORE TABLE COLUMN ROWS PAUSE. ACTION: write (opens, writes, closes, and repeats), keep (keeps the
// store open and writes), read, watch (keeps the store open and reads). PAUSE: microseconds between two transactions.
//
// Transaction n writes two rows. Prints 'wrote n' after its commit, 'read' after a transaction in which two reads agree, 'torn'
// if they do not, or 'error CODE n MESSAGE'.
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t is_stopped;
static void stop(int number) { (void)number, is_stopped = 1; }

static const char *table, *column;
static long rows;

static int run(sqlite3 *database, const char *sql) { return sqlite3_exec(database, sql, 0, 0, 0); }

// Writes the same texts as texts_after in races.py. Their lengths differ, so that rows move between pages.
static int set_row(sqlite3 *database, long row, long number) {
  char sql[1000], dots[400] = "";
  memset(dots, '.', (size_t)(number * 37 % 400));
  snprintf(sql, sizeof sql, "UPDATE %s SET %s = 'written %ld %s' WHERE Z_PK = %ld", table, column, number, dots, row);
  int code = run(database, sql);
  return code != SQLITE_OK ? code : sqlite3_changes(database) == 1 ? SQLITE_OK : SQLITE_NOTFOUND;
}

static int write_once(sqlite3 *database, long number) {
  int code = run(database, "BEGIN IMMEDIATE");
  if (code == SQLITE_OK) code = set_row(database, number % rows + 1, number);
  if (code == SQLITE_OK) code = set_row(database, (number + rows / 2) % rows + 1, number);
  return code == SQLITE_OK ? run(database, "COMMIT") : code;
}

static int sum(sqlite3 *database, unsigned long *result) {
  char sql[300];
  sqlite3_stmt *statement;
  snprintf(sql, sizeof sql, "SELECT %s FROM %s ORDER BY Z_PK", column, table);
  int code = sqlite3_prepare_v2(database, sql, -1, &statement, 0);
  *result = 5381;
  while (code == SQLITE_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    const unsigned char *text = sqlite3_column_text(statement, 0);
    for (; text && *text; text++) *result = *result * 33 + *text;
    *result = *result * 33, code = SQLITE_OK;
  }
  int last = sqlite3_finalize(statement);
  return code == SQLITE_DONE ? last : code;
}

static int read_twice(sqlite3 *database, long pause, int *is_torn) {
  unsigned long first = 0, second = 0;
  int code = run(database, "BEGIN");
  if (code == SQLITE_OK) code = sum(database, &first);
  usleep((useconds_t)pause);
  if (code == SQLITE_OK) code = sum(database, &second);
  *is_torn = first != second;
  return code == SQLITE_OK ? run(database, "COMMIT") : code;
}

int main(int count, char **arguments) {
  if (count != 7) return 64;
  signal(SIGTERM, stop);
  int writes = !strcmp(arguments[1], "write") || !strcmp(arguments[1], "keep");
  int keeps = !strcmp(arguments[1], "keep") || !strcmp(arguments[1], "watch");
  table = arguments[3], column = arguments[4], rows = atol(arguments[5]);
  long pause = atol(arguments[6]), number = 1;
  sqlite3 *database = NULL;
  while (!is_stopped) {
    int code = SQLITE_OK, is_torn = 0;
    // Without SQLITE_OPEN_CREATE: a missing store is an error and is not created.
    if (!database) code = sqlite3_open_v2(arguments[2], &database, SQLITE_OPEN_READWRITE, NULL);
    sqlite3_busy_timeout(database, 5000);
    if (code == SQLITE_OK) code = writes ? write_once(database, number) : read_twice(database, pause, &is_torn);
    if (code != SQLITE_OK)
      printf("error %d %ld %s\n", sqlite3_extended_errcode(database), number, sqlite3_errmsg(database));
    else if (writes)
      printf("wrote %ld\n", number++);
    else
      puts(is_torn ? "torn" : "read");
    fflush(stdout);
    if (code != SQLITE_OK && !sqlite3_get_autocommit(database)) run(database, "ROLLBACK");
    if (!keeps || code != SQLITE_OK) sqlite3_close(database), database = NULL;
    usleep((useconds_t)pause);
  }
  if (database) sqlite3_close(database);
  return 0;
}
