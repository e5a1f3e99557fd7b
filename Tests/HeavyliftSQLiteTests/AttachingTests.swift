import Foundation
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@Suite struct AttachingTests {
  let folder: TemporaryFolder
  let database: Database
  var path: String { folder.appending("other.sqlite").path }

  init() throws {
    folder = try TemporaryFolder()
    database = try Database.inMemory()
  }

  @Test func `tables of an attached database are there until it is detached`() throws {
    try database.attach(path: path, as: "odd \"name", readOnly: false, createIfMissing: true)
    try database.execute(#"CREATE TABLE "odd ""name".t (x); INSERT INTO t VALUES (3)"#)
    #expect(try database.tableExists("T", in: "odd \"name"))
    #expect(try !database.tableExists("t"))
    try database.detach("odd \"name")
    #expect(throws: SQLiteError.self) { try database.prepare("SELECT x FROM t") }
    try database.attach(path: path, as: "o", readOnly: true)
    #expect(try database.firstValue("SELECT x FROM o.t") == 3)
    let error = #expect(throws: SQLiteError.self) { try database.run("DELETE FROM o.t") }
    #expect(error?.isReadOnly == true)
  }

  @Test(arguments: [true, false])
  func `a missing file is not made unless that is asked for`(readOnly: Bool) throws {
    let error = #expect(throws: SQLiteError.self) { try database.attach(path: path, as: "o", readOnly: readOnly) }
    #expect(error?.isCantOpen == true)
    #expect(error?.path == path)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `another kind of file is refused by its own name`() throws {
    try Data(repeating: 65, count: 4096).write(to: URL(filePath: path))
    let error = #expect(throws: SQLiteError.self) { try database.attach(path: path, as: "o", readOnly: true) }
    #expect(
      error?.description == """
        database '\(path)': file is not a database (SQLITE_NOTADB)
          in: ATTACH ? AS ?
          it is another kind of file, it is encrypted, or its first bytes are damaged
        """)
  }
}
