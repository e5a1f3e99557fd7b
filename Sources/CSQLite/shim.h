#pragma once

#include <sqlite3.h>

/// Turns on or off that the last connection to close merges the write-ahead log. `sqlite3_db_config` is variadic, which
/// Swift cannot call.
static inline int heavylift_sqlite3_keep_log_on_close(sqlite3 *connection, int isOn) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, isOn, (int *)0);
}
