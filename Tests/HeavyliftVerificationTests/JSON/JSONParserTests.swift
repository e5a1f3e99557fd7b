import HeavyliftModel
import Testing

@testable import HeavyliftVerification

@Suite struct JSONParserTests {
  private func parsed(_ text: String) throws -> JSONNode { try JSONParser.parse(text, file: "g.json") }

  @Test func `every kind of value is read, with its place`() throws {
    let node = try parsed("\u{FEFF}{\n  \"a\\u00e9\\ud83d\\ude00\\n\": [null, true, false, -1.5e+3, \"ü\"]\n}\n")
    let member = try #require(node.members?.first)
    #expect(member.name == "aé😀\n")
    #expect(member.nameLocation == DiagnosticLocation(file: "g.json", line: 2, column: 3))
    let elements = try #require(member.value.elements)
    #expect(elements.map(\.kind) == [.null, .bool(true), .bool(false), .number("-1.5e+3"), .string("ü")])
    #expect(elements[4].location.column == 57)
  }

  @Test(arguments: [
    ("", "1:1", "the file ends where a value is expected"),
    ("{", "1:2", "a name in double quotes is expected"),
    ("{\"a\" 1}", "1:6", "':' is expected after 'a'"),
    ("{\"a\": 1 \"b\": 2}", "1:9", "',' or '}' is expected before this"),
    ("{\"a\": 1,}", "1:9", "a name in double quotes is expected"),
    ("[1 2]", "1:4", "',' or ']' is expected before this"),
    ("[1,\n 2", "2:3", "the file ends inside the array that begins on line 1"),
    ("'a'", "1:1", "a value is expected"),
    ("tru", "1:1", "a value is expected"),
    ("01", "1:1", "a number begins with 0"),
    ("1.", "1:3", "a digit is expected after the decimal point"),
    ("1e", "1:3", "a digit is expected in the exponent"),
    ("-", "1:2", "a digit is expected"),
    ("\"a", "1:1", "the file ends inside a string"),
    ("\"a\nb\"", "1:3", "a string contains a control character"),
    ("\"\\x\"", "1:2", "a string contains an unknown escape"),
    ("\"\\u12\"", "1:2", "four hexadecimal digits are expected after \\u"),
    ("\"\\ud800\"", "1:8", "a string contains half of a surrogate pair"),
    ("1 2", "1:3", "unexpected text after the end of the file's value"),
  ])
  func `a mistake is reported with its place`(text: String, place: String, problem: String) {
    let error = #expect(throws: Diagnostic.self) { try parsed(text) }
    #expect(error?.code == "json.syntax")
    #expect(error?.problem == problem)
    #expect(error?.location?.description == "g.json:\(place)")
    #expect(error?.remedy?.isEmpty == false)
  }

  @Test(arguments: [
    ("{\n\"a\": 1\n\"b\": 2}", "add the ',' if the object that begins on line 1 continues here, or '}' if it ends"),
    ("[1,\n[2 3]]", "add the ',' if the array that begins on line 2 continues here, or ']' if it ends"),
    ("{\"a\": {\n\"b\": 2", "add the missing '}'"), ("{\"a\" 1}", "write ':' and a value"),
    ("{1}", "write the name, or '}' for an empty object"),
    ("{\"a\": 1,}", "write the name, or remove the comma before it"),
    ("1.", "write the digit, or remove the point"), ("1e", "write the digits, or remove the exponent"),
    ("\"\\u12\"", "write four digits, such as \\u00e9"),
  ])
  func `a remedy names what to write`(text: String, remedy: String) {
    #expect(#expect(throws: Diagnostic.self) { try parsed(text) }?.remedy == remedy)
  }

  @Test func `a file with endless nesting is refused`() {
    let error = #expect(throws: Diagnostic.self) { try parsed(String(repeating: "[", count: 1_000_000)) }
    #expect(error?.problem == "values are nested more than 64 levels deep")
  }

  /// Would take minutes if columns were counted from the start of the line for each value.
  @Test func `a long line is read in one pass`() throws {
    let elements = try #require(
      try parsed("[" + Array(repeating: "\"ü\"", count: 100_000).joined(separator: ",") + "]").elements)
    #expect(elements.count == 100_000)
    #expect(elements.last?.location.column == 399_998)
  }

  @Test func `a truncated text is an error, wherever it ends`() throws {
    let text = #"{"model": "A", "objects": {"B": {"c": {"d": [1.5e3, "x\u00e9\n", null, true]}}}}"#
    _ = try parsed(text)
    for count in 0..<text.utf8.count {
      #expect(throws: Diagnostic.self) { try parsed(String(decoding: Array(text.utf8.prefix(count)), as: UTF8.self)) }
    }
  }
}
