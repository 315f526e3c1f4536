// SQLite, with what Swift cannot call: variadic functions and destructor constants.
#pragma once
#include <sqlite3.h>

/// Switches one boolean option of a connection (sqlite3_db_config).
static inline int tagstation_sqlite_configure(sqlite3 *database, int option, int on) {
  return sqlite3_db_config(database, option, on, (int *)0);
}
/// Binds text that SQLite copies before the call returns.
static inline int tagstation_sqlite_bind_text(
  sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, count ? (const char *)bytes : "", count,
                             SQLITE_TRANSIENT, SQLITE_UTF8);
}
/// Binds bytes that SQLite copies before the call returns; none at all is an empty blob, not NULL.
static inline int tagstation_sqlite_bind_blob(
  sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, count ? bytes : "", count, SQLITE_TRANSIENT);
}
/// Has `pages` hold how many pages the write-ahead log has after each commit, and turns automatic
/// checkpoints off, which use the same hook (sqlite3_wal_hook).
static inline int tagstation_sqlite_note_pages(
  void *pages, sqlite3 *database, const char *name, int count) {
  (void)database;
  (void)name;
  *(int *)pages = count;
  return SQLITE_OK;
}
static inline void tagstation_sqlite_count_pages(sqlite3 *database, int *pages) {
  sqlite3_wal_hook(database, tagstation_sqlite_note_pages, pages);
}
