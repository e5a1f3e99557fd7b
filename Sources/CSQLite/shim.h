#pragma once

#include <sqlite3.h>

/// Sets whether the last connection to close leaves the write-ahead log unmerged. Swift cannot call
/// `sqlite3_db_config`, which is variadic.
static inline int heavylift_sqlite3_keep_log_on_close(sqlite3 *connection, int isOn) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, isOn, (int *)0);
}

/// Gives the schema `main` another name, which must last as long as the connection.
static inline int heavylift_sqlite3_name_main(sqlite3 *connection, const char *name) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_MAINDBNAME, name);
}
