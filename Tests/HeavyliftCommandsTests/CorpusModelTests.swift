import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// `inspect` of every model that real apps ship. `CheckCommandTests` covers `check`.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
struct CorpusModelTests {
  private static let bundles = ["xcdatamodeld", "momd"].flatMap { kind in
    Corpus.files(endingWith: "." + kind)
  }

  /// Bundles that are broken on purpose.
  private static let broken = ["TestModel_NotA.momd", "TestModel_NotB.momd"]

  private func run(_ command: String, _ model: URL) -> (code: ExitCode, text: String) {
    let (output, errors) = (MemorySink(), MemorySink())
    let io = CommandIO(output: output, errors: errors, workingDirectory: Corpus.root)
    let code = CommandLineTool.heavylift.run([command, model.path], io)
    return (code, output.text + errors.text)
  }

  @Test func `every real model can be inspected`() {
    for model in Self.bundles where !Self.isBroken(model) {
      let run = run("inspect", model)
      #expect(run.code == .success, "\(Corpus.name(of: model)): \(run.text)")
    }
  }

  private static func isBroken(_ model: URL) -> Bool { broken.contains { model.path.contains($0) } }
}
