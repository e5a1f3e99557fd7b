import Foundation
import HeavyliftModel

/// Requires every mistake to have a message, and a place inside the file.
func check(_ diagnostics: [Diagnostic], in data: Data) {
  let lines = data.count { $0 == 0x0A || $0 == 0x0D } + 1
  for diagnostic in diagnostics {
    promise(!diagnostic.problem.isEmpty && diagnostic.remedy?.isEmpty != true, "a mistake has words")
    guard let location = diagnostic.location else { continue }
    promise(
      location.line >= 1 && location.line <= lines && location.column >= 1, "a place is in the file: \(diagnostic)")
  }
}
