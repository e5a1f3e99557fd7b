import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftSQLite
@testable import HeavyliftStore
@testable import HeavyliftReports

struct DumpedValueTests {
  /// The JSON of one attribute of a store's only object.
  private func dumped(_ column: String, _ sql: String, as attribute: String) throws -> String {
    let (folder, store) = try DumpStores.make()
    try store.database.execute("INSERT INTO ZVALUE (Z_PK, Z_ENT, Z_OPT, \(column)) VALUES (1, 3, 1, \(sql))")
    let line = try DumpStores.dump(store)
    let start = try #require(line.range(of: "\"\(attribute)\":"))
    // Attributes are sorted by name.
    let names = [
      "big", "decimal", "double", "file", "flag", "id", "link", "moment", "place", "raw", "text", "thing",
    ]
    let next = names.drop { $0 != attribute }.dropFirst().first.map { ",\"\($0)\":" } ?? "},\"relationships\""
    let end = try #require(line.range(of: next, range: start.upperBound..<line.endIndex))
    withExtendedLifetime(folder) {}
    return String(line[start.upperBound..<end.lowerBound])
  }

  @Test(arguments: [
    ("ZBIG", "9223372036854775807", "big", "9223372036854775807"),
    ("ZBIG", "-9223372036854775808", "big", "-9223372036854775808"), ("ZBIG", "0", "big", "0"),
    ("ZBIG", "-7", "big", "-7"), ("ZBIG", "10", "big", "10"), ("ZFLAG", "1", "flag", "true"),
    ("ZFLAG", "0", "flag", "false"), ("ZDOUBLE", "0.1", "double", "0.1"), ("ZDOUBLE", "3", "double", "3.0"),
    ("ZDOUBLE", "9e999", "double", "\"Infinity\""), ("ZDOUBLE", "-9e999", "double", "\"-Infinity\""),
    ("ZDOUBLE", "5e-324", "double", "5e-324"), ("ZDOUBLE", "1e22", "double", "1e+22"),
    ("ZDECIMAL", "3", "decimal", "\"3\""), ("ZDECIMAL", "9.99", "decimal", "\"9.99\""),
    ("ZDECIMAL", "'NaN'", "decimal", "\"NaN\""), ("ZDECIMAL", "2.0", "decimal", "\"2\""),
    ("ZDECIMAL", "-0.10", "decimal", "\"-0.1\""),
    (
      "ZDECIMAL", "CAST('12345678901234567890.123456789' AS BLOB)", "decimal",
      "\"12345678901234567890.123456789\""
    ),
    ("ZDECIMAL", "CAST('1.500' AS BLOB)", "decimal", "\"1.5\""),
    ("ZID", "x'00112233445566778899AABBCCDDEEFF'", "id", "\"00112233-4455-6677-8899-AABBCCDDEEFF\""),
    ("ZLINK", "'https://a.b/ü?q=1'", "link", "\"https://a.b/ü?q=1\""),
    ("ZTEXT", "'say \"hi\" \\ / €😀'", "text", #""say \"hi\" \\ / €😀""#),
    ("ZTEXT", "char(0, 8, 9, 10, 11, 12, 13, 31, 127)", "text", #""\u0000\b\t\n\u000b\f\r\u001f\#u{7F}""#),
    ("ZTEXT", "''", "text", "\"\""), ("ZRAW", "x''", "raw", "\"\""), ("ZRAW", "x'00'", "raw", "\"AA==\""),
    ("ZRAW", "x'0001'", "raw", "\"AAE=\""), ("ZRAW", "x'FBFFBF'", "raw", "\"+/+/\""),
    ("ZFILE", "x'01FBFF'", "file", "\"+/8=\""), ("ZFILE", "x'01'", "file", "\"\""),
    ("ZTHING", "x'0102'", "thing", "\"AQI=\""),
    ("ZX, ZNAME", "1.5, NULL", "place", #"{"name":null,"x":1.5,"y":null}"#),
    ("ZX", "NULL", "place", "null"), ("ZTEXT", "NULL", "text", "null"),
    ("ZMOMENT", "0", "moment", "\"2001-01-01T00:00:00Z\""),
    ("ZMOMENT", "0.5", "moment", "\"2001-01-01T00:00:00.5Z\""),
    ("ZMOMENT", "-0.25", "moment", "\"2000-12-31T23:59:59.75Z\""),
    ("ZMOMENT", "-1", "moment", "\"2000-12-31T23:59:59Z\""),
    ("ZMOMENT", "-978307200", "moment", "\"1970-01-01T00:00:00Z\""),
    ("ZMOMENT", "252460799.999999", "moment", "\"2008-12-31T23:59:59.999999Z\""),
    ("ZMOMENT", "94694400", "moment", "\"2004-01-02T00:00:00Z\""),
    ("ZMOMENT", "99705600", "moment", "\"2004-02-29T00:00:00Z\""),
    ("ZMOMENT", "-63113904000", "moment", "\"0001-01-01T00:00:00Z\""),
    ("ZMOMENT", "-63113904001", "moment", #"{"seconds":-63113904001.0}"#),
    ("ZMOMENT", "252423993599", "moment", "\"9999-12-31T23:59:59Z\""),
    ("ZMOMENT", "252423993600", "moment", #"{"seconds":252423993600.0}"#),
    ("ZMOMENT", "1e300", "moment", #"{"seconds":1e+300}"#), ("ZMOMENT", "1e-9", "moment", #"{"seconds":1e-09}"#),
    ("ZMOMENT", "9e999", "moment", #"{"seconds":"Infinity"}"#),
    ("ZMOMENT", "-9e999", "moment", #"{"seconds":"-Infinity"}"#),
  ])
  func `a stored value has one form`(column: String, sql: String, attribute: String, json: String) throws {
    #expect(try dumped(column, sql, as: attribute) == json)
  }

  @Test func `external files are written like data in the store`() throws {
    let (folder, store) = try DumpStores.make()
    for size in [0, 1, 2, 3, 49_151, 49_152, 200_001] {
      let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) })
      let name = try store.externalData.write(bytes)
      try store.database.run("DELETE FROM ZVALUE")
      try store.database.run(
        "INSERT INTO ZVALUE (Z_PK, Z_ENT, Z_OPT, ZFILE, ZRAW) VALUES (1, 3, 1, ?, ?)",
        ExternalDataFormat.reference(to: name), .blob(bytes))
      let line = try DumpStores.dump(store)
      let base64 = bytes.base64EncodedString()
      #expect(line.contains("\"file\":\"\(base64)\",") && line.contains("\"raw\":\"\(base64)\","), "\(size) bytes")
    }
    withExtendedLifetime(folder) {}
  }

  @Test func `an external file that is missing is named in its place, and reported`() throws {
    let (folder, store) = try DumpStores.make()
    let name = "01234567-89AB-CDEF-0123-456789ABCDEF"
    try store.database.run(
      "INSERT INTO ZVALUE (Z_PK, Z_ENT, Z_OPT, ZFILE) VALUES (1, 3, 1, ?)", ExternalDataFormat.reference(to: name))
    let sink = MemorySink()
    let counts = try StoreDump(store).write(to: sink)
    #expect(sink.text.contains("\"file\":{\"missingFile\":\"\(name)\"},"))
    #expect(counts.missingFiles == [MissingExternalFile(entity: "Value", key: 1, attribute: "file", file: name)])
    #expect(try store.missingExternalFiles() == counts.missingFiles)
    #expect(
      counts.missingFiles.diagnostic(.warning, in: store.externalData)?.description == """
        warning[store.missing-external-file]: the external file of 'file' of Value/p1 (\(name)) is missing
          the folder '\(store.externalData.url.path)' belongs to the store: copy it along with the store's file; \
        references to missing files are copied unchanged
        """)
    withExtendedLifetime(folder) {}
  }

  @Test func `an external file that cannot be examined is an error, not a missing one`() throws {
    let (folder, store) = try DumpStores.make()
    let name = "01234567-89AB-CDEF-0123-456789ABCDEF"
    try store.database.run(
      "INSERT INTO ZVALUE (Z_PK, Z_ENT, Z_OPT, ZFILE) VALUES (1, 3, 1, ?)", ExternalDataFormat.reference(to: name))
    // A link that leads to itself: ELOOP, even for the superuser.
    let url = store.externalData.url
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: url.appending(path: name).path, withDestinationPath: url.appending(path: name).path)
    for read in [{ _ = try store.missingExternalFiles() }, { _ = try StoreDump(store).write(to: MemorySink()) }] {
      let error = #expect(throws: Diagnostic.self) { try read() }
      #expect(error?.problem == "external file '\(name)' cannot be read: Too many levels of symbolic links")
    }
    withExtendedLifetime(folder) {}
  }

  @Test func `a strict dump stops at an external file that is missing`() throws {
    let (folder, store) = try DumpStores.make()
    let name = "01234567-89AB-CDEF-0123-456789ABCDEF"
    try store.database.run(
      "INSERT INTO ZVALUE (Z_PK, Z_ENT, Z_OPT, ZFILE) VALUES (1, 3, 1, ?)", ExternalDataFormat.reference(to: name))
    var options = StoreDump.Options()
    options.refusesMissingFiles = true
    let error = #expect(throws: Diagnostic.self) { try StoreDump(store, options: options).write(to: MemorySink()) }
    #expect(
      error?.problem
        == "external file '\(name)' of attribute 'file' of Value/p1 cannot be read: No such file or directory")
    #expect(
      error?.remedy
        == "the folder '\(store.externalData.url.path)' belongs to the store: copy it along with the store's file")
    withExtendedLifetime(folder) {}
  }

  /// Reads a dumped date as documented: adds the whole seconds and the fraction as decimals.
  private func seconds(_ json: String) throws -> Double {
    if json.hasPrefix("{") { return try #require(Double(json.dropFirst("{\"seconds\":".count).dropLast())) }
    let text = json.dropFirst().dropLast(2)
    let parts = text.split(separator: ".")
    let formatter = ISO8601DateFormatter()
    let whole = try #require(formatter.date(from: "\(parts[0])Z")).timeIntervalSinceReferenceDate
    guard parts.count > 1 else { return whole }
    let sum = Decimal(Int(whole)) + (try #require(Decimal(string: "0.\(parts[1])")))
    return try #require(Double("\(sum)"))
  }

  @Test(arguments: Seeds.some(of: 1..<21))
  func `a date leads back to the same double`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let value =
        switch Int.random(in: 0..<5, using: &random) {
        // From 1600 on: before 1582 Foundation uses another calendar.
        case 0: Double.random(in: -1e10...1e10, using: &random)
        case 1: Double.random(in: -2...2, using: &random)
        case 2: Double(Int.random(in: -12_000_000_000...12_000_000_000, using: &random))
        case 3: (Double.random(in: 0...8e8, using: &random) * 1e6).rounded() / 1e6
        default: Double(bitPattern: random.next())
        }
      guard value.isFinite, value > -1.2e10 else { continue }
      var writer = JSONWriter(MemorySink())
      writer.date(value)
      let json = String(decoding: writer.buffer, as: UTF8.self)
      #expect(try seconds(json).bitPattern == value.bitPattern, "seed \(seed): \(value) as \(json)")
    }
  }

  @Test(arguments: Seeds.some(of: 1..<21))
  func `a text reads back as it was`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let text = String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 0..<40, using: &random)).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0..<(Bool.random(using: &random) ? 0x80 : 0x11_0000), using: &random))
          }))
      let sink = MemorySink()
      var writer = JSONWriter(sink)
      try writer.string(text)
      try writer.flush()
      let read = try JSONDecoder().decode([String].self, from: Data("[\(sink.text)]".utf8))
      #expect(read.first.map { Array($0.utf8) } == Array(text.utf8), "seed \(seed)")
    }
  }
}
