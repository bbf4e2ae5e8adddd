// SQLite's destructors that are no functions, which Swift can't import.
#pragma once
#include <sqlite3.h>

static inline int rw_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
  return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

static inline int rw_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline void rw_result_text(sqlite3_context *context, const char *text, int count) {
  sqlite3_result_text(context, text, count, SQLITE_TRANSIENT);
}

// For a file that may have been made to do harm: its schema runs no functions, and isn't written to past
// SQLite.
static inline int rw_restrict(sqlite3 *database) {
  int isOn = 0;
  int result = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, &isOn);
  if (result != SQLITE_OK) return result;
  return sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &isOn);
}
