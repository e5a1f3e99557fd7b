import Foundation
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// The output of a command that writes a mapping file: the named file, or else standard output.
struct MappingOutput {
  static let option = CommandDescription.Option(
    "output", shortName: "o", value: "FILE", help: "Write to a file, which appears only when it is complete.")

  /// `nil` for standard output.
  let path: String?

  /// Writes the canonical text. If the mapping has none, throws before touching a file.
  func write(_ mapping: MappingModel, to io: CommandIO) throws {
    try write(text: MappingWriter.text(of: mapping), to: io)
  }

  /// Writes a JSON report for scripts. The report includes the mapping's text unless the text goes to a file.
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
