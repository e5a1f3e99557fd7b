import Foundation
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// Where a command puts the mapping file that it made: a file if one is named, the output otherwise.
struct MappingOutput {
  static let option = CommandDescription.Option(
    "output", shortName: "o", value: "FILE", help: "Write to a file, which appears when it is complete.")

  /// Nil for the output.
  let path: String?

  /// Writes the canonical text; a mapping without one is refused before a file is touched.
  func write(_ mapping: MappingModel, to io: CommandIO) throws {
    try write(text: MappingWriter.text(of: mapping), to: io)
  }

  /// Writes the canonical text and what there is to say, for scripts: the text itself unless it goes to a file.
  func writeJSON(_ mapping: MappingModel, _ diagnostics: [Diagnostic], to io: CommandIO) throws {
    let text = try MappingWriter.text(of: mapping)
    if path != nil { try write(text: text, to: io) }
    try io.write(
      JSONValue.object([
        ("output", .optional(path)), ("mapping", .optional(path == nil ? text : nil)),
        ("diagnostics", .array(diagnostics.map(\.json))),
      ]).indented)
  }

  func write(text: String, to io: CommandIO) throws {
    guard let path else { return try io.write(text) }
    try OutputFile.write(to: io.url(path), shownAs: path) { sink in
      var text = text
      try text.withUTF8 { try sink.write(UnsafeRawBufferPointer($0)) }
    }
  }
}
