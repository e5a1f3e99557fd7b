import Testing

/// The complete text of every checker message, with its place.
struct CheckingTableTests {
  @Test(arguments: ["keys", "operators", "functions", "values", "dates", "accepted"])
  func `every case has exactly its messages`(file: String) throws {
    let cases = try CheckingCase.read(file)
    #expect(cases.count >= 15)
    for item in cases {
      let actual = try item.actual()
      #expect(actual == item.expected, "\(item.testDescription)\n\(actual)")
    }
  }
}
