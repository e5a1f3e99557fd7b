import CSQLite3
import Foundation

/// The baseline: inserts the same rows into the same tables with SQLite's C interface and nothing else.
public enum PlainSQLite {
  /// Inserts books and the given number of authors in one transaction.
  public static func insert(_ books: [SampleBook], authors: Int, into url: URL) {
    var database: OpaquePointer?
    check(sqlite3_open_v2(url.path, &database, SQLITE_OPEN_READWRITE, nil), database)
    defer { sqlite3_close(database) }
    check(sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil), database)
    insertAuthors(authors, database)
    insertBooks(books, authors: authors, database)
    check(
      sqlite3_exec(
        database,
        "UPDATE Z_PRIMARYKEY SET Z_MAX = \(authors) WHERE Z_NAME = 'Author'; "
          + "UPDATE Z_PRIMARYKEY SET Z_MAX = \(books.count) WHERE Z_NAME = 'Book'; COMMIT", nil, nil, nil), database)
  }

  private static func insertAuthors(_ count: Int, _ database: OpaquePointer?) {
    var statement: OpaquePointer?
    check(
      sqlite3_prepare_v2(
        database, "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, 1, 1, ?)", -1, &statement, nil), database)
    for key in 1...count {
      sqlite3_bind_int64(statement, 1, Int64(key))
      bind("author \(key)", to: statement, at: 2)
      step(statement, database)
    }
    sqlite3_finalize(statement)
  }

  private static func insertBooks(_ books: [SampleBook], authors: Int, _ database: OpaquePointer?) {
    var statement: OpaquePointer?
    let sql =
      "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZPAGES, ZAUTHOR, ZADDEDAT, ZRATING, ZSUBTITLE, ZTITLE) "
      + "VALUES (?, 2, 1, ?, ?, ?, ?, ?, ?)"
    check(sqlite3_prepare_v2(database, sql, -1, &statement, nil), database)
    for (index, book) in books.enumerated() {
      sqlite3_bind_int64(statement, 1, Int64(index + 1))
      sqlite3_bind_int64(statement, 2, book.pages)
      sqlite3_bind_int64(statement, 3, Int64(index % authors + 1))
      sqlite3_bind_double(statement, 4, book.addedAt.timeIntervalSinceReferenceDate)
      sqlite3_bind_double(statement, 5, book.rating)
      if let subtitle = book.subtitle { bind(subtitle, to: statement, at: 6) } else { sqlite3_bind_null(statement, 6) }
      bind(book.title, to: statement, at: 7)
      step(statement, database)
    }
    sqlite3_finalize(statement)
  }

  private static func bind(_ text: String, to statement: OpaquePointer?, at index: Int32) {
    var text = text
    text.withUTF8 { utf8 in
      _ = utf8.withMemoryRebound(to: CChar.self) { characters in
        // SQLITE_TRANSIENT
        sqlite3_bind_text(
          statement, index, characters.baseAddress, Int32(characters.count),
          unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      }
    }
  }

  private static func step(_ statement: OpaquePointer?, _ database: OpaquePointer?) {
    guard sqlite3_step(statement) == SQLITE_DONE else { return check(SQLITE_ERROR, database) }
    sqlite3_reset(statement)
  }

  private static func check(_ result: Int32, _ database: OpaquePointer?) {
    precondition(result == SQLITE_OK, String(cString: sqlite3_errmsg(database)))
  }
}
