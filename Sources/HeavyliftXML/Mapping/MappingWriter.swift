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
/// There is one text for a mapping model and its comments, so that two versions of a file differ in nothing but what was
/// changed. Attributes have a fixed order, expressions their canonical text; entity mappings and properties keep the
/// order in which they stand, comments their places, and a blank line that separates stays one.
public enum MappingWriter {
  /// The canonical text; throws if a part has none, all such parts together.
  ///
  /// A mapping model that was read from a file always has one. One that was made in code may hold an expression without
  /// a text, an empty name, or a character that XML forbids.
  public static func text(of mapping: MappingModel) throws(DiagnosticList) -> String {
    var obstacles = MappingObstacles()
    let root = MappingTag(mapping, &obstacles)
    guard obstacles.diagnostics.isEmpty else { throw DiagnosticList(obstacles.diagnostics) }
    var layout = MappingLayout()
    layout.write(file: root)
    return layout.text
  }

  /// Writes a file; it is the old one or the new one, whole, at any instant.
  public static func write(_ mapping: MappingModel, to url: URL) throws(DiagnosticList) {
    try FileReplacement.write(Data(text(of: mapping).utf8), to: url)
  }
}
