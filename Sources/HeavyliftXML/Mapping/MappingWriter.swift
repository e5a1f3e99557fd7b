public import Foundation
public import HeavyliftMapping
public import HeavyliftModel

/// Writes mapping files in their canonical form.
///
/// ```swift
/// let reading = try MappingReader.read(contentsOf: file)
/// try MappingWriter.write(try reading.validMappingModel(), to: file)
/// ```
///
/// A mapping model with its comments has exactly one textual form, so two versions of a file differ only in what was
/// changed. Attributes have a fixed order and expressions a canonical text. Entity mappings and properties keep their
/// order, comments keep their places, and consecutive blank lines between elements become one.
public enum MappingWriter {
  /// Returns the canonical text. Throws the errors for all parts that cannot be written, together.
  ///
  /// A mapping model from a file can always be written. A mapping model made in code may contain an expression that has
  /// no text form, an empty name, or a character that XML forbids.
  public static func text(of mapping: MappingModel) throws(DiagnosticList) -> String {
    var obstacles = MappingObstacles()
    let root = MappingTag(mapping, &obstacles)
    guard obstacles.diagnostics.isEmpty else { throw DiagnosticList(obstacles.diagnostics) }
    var layout = MappingLayout()
    layout.write(file: root)
    return layout.text
  }

  /// Writes a file atomically: at any moment it is either the whole old file or the whole new one.
  public static func write(_ mapping: MappingModel, to url: URL) throws(DiagnosticList) {
    try FileReplacement.write(Data(text(of: mapping).utf8), to: url)
  }
}
