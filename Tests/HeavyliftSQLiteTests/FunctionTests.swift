import Foundation
import HeavyliftSQLite
import Testing

private struct Failure: Error, Equatable {
  var secret: String
}

/// Reports its deallocation.
private final class Canary {
  private let onDeinit: () -> Void
  init(onDeinit: @escaping () -> Void) { self.onDeinit = onDeinit }
  deinit { onDeinit() }
}

@Suite struct FunctionTests {
  let database: Database

  init() throws { database = try Database.inMemory() }

  @Test(arguments: ValueTests.edges)
  func `a value passes through a function as it is`(value: SQLiteValue) throws {
    try database.register(function: "same", argumentCount: 1, isDeterministic: true) { arguments in
      try arguments.value(at: 0)
    }
    #expect(try database.firstValue("SELECT same(?)", value) == value)
  }

  @Test(arguments: ValueTests.edges)
  func `a direct function gives an argument as it is, or a value, or nothing`(value: SQLiteValue) throws {
    try database.register(directFunction: "second", argumentCount: 2, isDeterministic: true) { arguments, result in
      result.set(arguments, at: 1)
    }
    try database.register(directFunction: "same", argumentCount: 1, isDeterministic: true) { arguments, result in
      result.set(try arguments.value(at: 0))
    }
    try database.register(directFunction: "gives_nothing", argumentCount: 1, isDeterministic: true) { _, _ in }
    #expect(try database.firstValue("SELECT second(1, ?)", value) == value)
    #expect(try database.firstValue("SELECT same(?)", value) == value)
    #expect(try database.firstValue("SELECT gives_nothing(?)", value) == .null)
  }

  @Test(arguments: [0, 1, 5, 100_000])
  func `a direct function writes a text where SQLite wants it, or takes it back`(count: Int) throws {
    try database.register(directFunction: "letters", argumentCount: 2, isDeterministic: false) { arguments, result in
      result.setText(count: Int(arguments.integer(at: 0))) { $0.initialize(repeating: UInt8(ascii: "x")) }
      if arguments.integer(at: 1) == 1 { result.set(integer: 7) }
      if arguments.integer(at: 1) == 2 { throw Failure(secret: "") }
    }
    let text = String(repeating: "x", count: count)
    #expect(try database.firstValue("SELECT letters(\(count), 0)") == .text(text))
    #expect(try database.firstValue("SELECT letters(\(count), 1)") == 7)
    #expect(throws: SQLiteError.self) { try database.firstValue("SELECT letters(\(count), 2)") }
  }

  @Test func `arguments can be looked at in every way`() throws {
    var seen: [String] = []
    try database.register(function: "look", argumentCount: -1, isDeterministic: false) { arguments in
      for index in 0..<arguments.count {
        let utf8 = arguments.withUnsafeText(at: index) { String(decoding: $0, as: UTF8.self) }
        let bytes = arguments.withUnsafeBytes(at: index) { $0.count }
        seen.append(
          "\(arguments.type(at: index)) \(arguments.isNull(at: index)) \(arguments.integer(at: index)) "
            + "\(arguments.double(at: index)) \(try arguments.text(at: index) ?? "nil") "
            + "\(arguments.blob(at: index)?.count ?? -1) \(utf8) \(bytes)")
      }
      return .integer(Int64(arguments.count))
    }
    #expect(try database.firstValue("SELECT look()") == 0)
    #expect(try database.firstValue("SELECT look(7, 2.5, '3x', NULL, x'6162')") == 5)
    #expect(
      seen == [
        "integer false 7 7.0 7 1 7 1", "real false 2 2.5 2.5 3 2.5 3", "text false 3 3.0 3x 2 3x 2",
        "null true 0 0.0 nil -1  0", "blob false 0 0.0 ab 2 ab 2",
      ])
  }

  @Test func `a function's error is available, and its text is not in the message`() throws {
    try database.register(function: "fail", argumentCount: 1, isDeterministic: false) { arguments in
      throw Failure(secret: try arguments.text(at: 0) ?? "")
    }
    let error = #expect(throws: SQLiteError.self) { try database.firstValue("SELECT fail(?)", "Geheimnis") }
    #expect(
      error?.description == """
        database ':memory:': function 'fail' failed: it threw an error of type 'Failure' (SQLITE_ERROR)
          in: SELECT fail(?)
        """)
    #expect(error?.origin == .function)
    #expect(error?.underlyingError as? Failure == Failure(secret: "Geheimnis"))
    // The next error is a new one.
    let next = #expect(throws: SQLiteError.self) { try database.firstValue("SELECT abs(-9223372036854775808)") }
    #expect(next?.message == "integer overflow")
    #expect(next?.underlyingError == nil)
  }

  @Test func `a function may run statements, also the one that calls it`() throws {
    try database.execute("CREATE TABLE tree (node, parent); INSERT INTO tree VALUES (1, NULL), (2, 1), (3, 2), (4, 3)")
    try database.register(function: "depth", argumentCount: 1, isDeterministic: false) { [unowned database] arguments in
      if arguments.isNull(at: 0) { return .integer(0) }
      let sql = "SELECT 1 + depth((SELECT parent FROM tree WHERE node = ?1))"
      return try database.firstValue(sql, try arguments.value(at: 0)) ?? .null
    }
    #expect(try database.firstValue("SELECT depth(4)") == 4)
  }

  @Test func `an error from deep within comes out with its code and its own cause`() throws {
    try database.execute("CREATE TABLE t (x UNIQUE); INSERT INTO t VALUES (1)")
    try database.register(function: "insert_again", argumentCount: 0, isDeterministic: false) {
      [unowned database] _ in
      try database.run("INSERT INTO t VALUES (1)")
      return .null
    }
    let error = #expect(throws: SQLiteError.self) { try database.firstValue("SELECT insert_again()") }
    #expect(error?.message == "function 'insert_again' failed: UNIQUE constraint failed: t.x")
    #expect(error?.extendedCode.description == "SQLITE_CONSTRAINT_UNIQUE")
    #expect((error?.underlyingError as? SQLiteError)?.sql == "INSERT INTO t VALUES (1)")

    try database.register(function: "lower_one", argumentCount: 0, isDeterministic: false) { _ in
      throw Failure(secret: "x")
    }
    try database.register(function: "upper_one", argumentCount: 0, isDeterministic: false) { [unowned database] _ in
      try database.firstValue("SELECT lower_one()") ?? .null
    }
    let nested = #expect(throws: SQLiteError.self) { try database.firstValue("SELECT upper_one()") }
    #expect(
      nested?.message == "function 'upper_one' failed: function 'lower_one' failed: it threw an error of type 'Failure'"
    )
    #expect(nested?.underlyingError as? Failure == Failure(secret: "x"))
  }

  @Test func `an error that a function swallows does not come back with a later one`() throws {
    try database.register(function: "fail", argumentCount: 0, isDeterministic: false) { _ in
      throw Failure(secret: "x")
    }
    try database.register(function: "careful", argumentCount: 0, isDeterministic: false) { [unowned database] _ in
      do {
        return try database.firstValue("SELECT fail()") ?? .null
      } catch {
        return "yes"
      }
    }
    #expect(try database.firstValue("SELECT careful()") == "yes")
  }

  @Test func `a function cannot close the database that calls it`() throws {
    try database.register(function: "shut", argumentCount: 0, isDeterministic: false) { [unowned database] _ in
      try database.close()
      return .null
    }
    let error = #expect(throws: SQLiteError.self) { try database.firstValue("SELECT shut()") }
    #expect(
      error?.message == """
        function 'shut' failed: the database cannot be closed by a function that one of its statements is calling
        """)
    #expect(try database.firstValue("SELECT 1") == 1)
  }

  @Test func `wrong calls and registrations say why`() throws {
    try database.register(function: "one", argumentCount: 1, isDeterministic: true) { _ in .null }
    let same: (borrowing SQLiteArguments) throws -> SQLiteValue = { _ in .null }
    let calls: [(() throws -> Void, String)] = [
      ({ _ = try database.prepare("SELECT one()") }, "wrong number of arguments to function one()"),
      ({ _ = try database.prepare("SELECT one(1, 2)") }, "wrong number of arguments to function one()"),
      ({ _ = try database.prepare("SELECT two()") }, "no such function: two"),
      (
        { try database.register(function: "", argumentCount: 1, isDeterministic: true, same) },
        "function '' needs a name of 1 to 255 bytes without U+0000"
      ),
      (
        {
          try database.register(
            function: String(repeating: "f", count: 256), argumentCount: 1, isDeterministic: true, same)
        }, "function '\(String(repeating: "f", count: 40))' needs a name of 1 to 255 bytes without U+0000"
      ),
      (
        { try database.register(function: "many", argumentCount: 128, isDeterministic: true, same) },
        "function 'many' can take 0 to 127 arguments, or any number (-1), but not 128"
      ),
      (
        { try database.register(function: "few", argumentCount: -2, isDeterministic: true, same) },
        "function 'few' can take 0 to 127 arguments, or any number (-1), but not -2"
      ),
    ]
    for (call, message) in calls {
      let error = #expect(throws: SQLiteError.self) { try call() }
      #expect(error?.message == message)
    }
  }

  @Test func `only functions that are allowed in a schema can be called by one`() throws {
    for isAllowed in [false, true] {
      try database.register(
        function: "touch", argumentCount: 0, isDeterministic: false, isAllowedInSchema: isAllowed
      ) { _ in "touched" }
      try database.execute("CREATE VIEW v\(isAllowed) AS SELECT touch() AS t")
    }
    #expect(try database.firstValue("SELECT t FROM vtrue") == "touched")
    try database.register(function: "touch", argumentCount: 0, isDeterministic: false) { _ in "touched" }
    let error = #expect(throws: SQLiteError.self) { try database.firstValue("SELECT t FROM vfalse") }
    #expect(error?.message == "unsafe use of touch()")
    #expect(try database.firstValue("SELECT touch()") == "touched")
  }

  @Test func `what a function holds goes with it`() throws {
    var gone: [String] = []
    func register(_ name: String, in database: Database) throws {
      let canary = Canary { gone.append(name) }
      try database.register(function: "f", argumentCount: 0, isDeterministic: true) { _ in
        withExtendedLifetime(canary) { .null }
      }
    }
    try register("replaced", in: database)
    try register("unregistered", in: database)
    #expect(gone == ["replaced"])
    try database.unregister(function: "f", argumentCount: 0)
    #expect(gone == ["replaced", "unregistered"])
    try register("closed", in: database)
    try database.close()
    #expect(gone == ["replaced", "unregistered", "closed"])
    func dropped() throws { try register("dropped", in: Database.inMemory()) }
    try dropped()
    #expect(gone == ["replaced", "unregistered", "closed", "dropped"])
    #expect(throws: SQLiteError.self) { try register("refused", in: database) }
    #expect(gone.last == "refused")
  }
}
