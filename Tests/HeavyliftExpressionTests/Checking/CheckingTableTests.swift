import Testing

/// Every message of the checker, whole, with its place.
struct CheckingTableTests {
  @Test(arguments: ["keys", "operators", "functions", "values", "accepted"])
  func `every case is told word for word`(file: String) throws {
    let cases = try CheckingCase.read(file)
    #expect(cases.count >= 15)
    for item in cases {
      #expect(try item.actual() == item.expected, "\(item.testDescription)")
    }
  }
}
