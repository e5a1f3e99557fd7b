import Foundation
import HeavyliftTestSupport

extension ToolFixture {
  /// A fixture with the sample `Bank` in it: two versions of a model, and a mapping between them.
  static func bank() throws -> ToolFixture {
    let fixture = try ToolFixture()
    try fixture.addSample("Bank")
    return fixture
  }

  /// Copies one of the project's sample folders.
  func addSample(_ name: String) throws {
    try FileManager.default.copyItem(
      at: Corpus.project.appending(path: "MappingModels/\(name)"), to: folder.appending(name))
  }

  func text(of name: String) throws -> String { try String(contentsOf: folder.appending(name), encoding: .utf8) }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.appending(name).path) }

  /// Changes a text file; each text to replace must be there.
  func edit(_ name: String, _ edits: (old: String, new: String)...) throws {
    var text = try text(of: name)
    for edit in edits {
      precondition(text.contains(edit.old), edit.old)
      text = text.replacing(edit.old, with: edit.new)
    }
    try write(text, to: name)
  }
}
