import Foundation
import HeavyliftTestSupport
import Testing

struct RecordTemp {
  @Test func record() throws {
    for name in ["keys", "operators", "functions", "values", "accepted"] {
      let cases = try CheckingCase.read(name)
      let text =
        cases.map { item -> String in
          let actual = (try? item.actual()) ?? { do { return try item.actual() } catch { return "PARSE \(error)" } }()
          return "= \(item.occasion)\n\(item.text)" + (actual.isEmpty ? "" : "\n\(actual)")
        }.joined(separator: "\n\n") + "\n"
      try text.write(
        to: Corpus.project.appending(path: "Fixtures/Malformed/expression-checks/\(name).txt"), atomically: true,
        encoding: .utf8)
    }
  }
}
