public import Foundation
import HeavyliftArchive
import HeavyliftMapping
public import HeavyliftModel

/// Reads mapping files: how the stores of one version of a model become stores of another.
///
/// ```swift
/// let reading = try MappingReader.read(contentsOf: URL(filePath: "MappingModels/Music/1-2.xml"))
/// for diagnostic in reading.diagnostics { print(diagnostic) }
/// let mapping = try reading.validMappingModel()
/// ```
///
/// Such files are written by hand. What the reader does not know is a mistake and never ignored: a misspelt name that
/// went unnoticed would lose data.
public enum MappingReader {
  /// What a mapping file may ask for: far more than anybody writes, and far less than would fill the memory.
  static let limits = XMLLimits(maximumBytes: 16 << 20, maximumDepth: 16, maximumElements: 200_000)

  /// Reads a file; messages call it `file`, or what the URL calls it.
  ///
  /// Throws if no mapping model can be made at all. Mistakes in single places are in the reading, all of them together.
  public static func read(contentsOf url: URL, file: String? = nil) throws(DiagnosticList) -> MappingReading {
    try read(contentsOf: url, .given, file: file)
  }

  static func read(
    contentsOf url: URL, _ origin: RegularFile.Origin, file: String?
  ) throws(DiagnosticList) -> MappingReading {
    let name = file ?? url.relativePath
    let data = try FileReading.data(of: url, origin, file: name, limits: limits)
    var reading = try read(data: data, file: name)
    reading.mappingModel.name = url.deletingPathExtension().lastPathComponent
    return reading
  }

  /// Reads the text of a mapping file; `file` is what messages call it.
  public static func read(text: String, file: String? = nil) throws(DiagnosticList) -> MappingReading {
    try read(data: Data(text.utf8), file: file)
  }

  /// Reads the bytes of a mapping file; `file` is what messages call it.
  public static func read(data: Data, file: String? = nil) throws(DiagnosticList) -> MappingReading {
    // Before XML has its say: most pages and every compiled file are none, and "not well-formed" would lead astray.
    if let other = OtherFile(startOf: data) {
      throw DiagnosticList([other.diagnostic(at: SourceLocation(file: file, line: 1, column: 1))])
    }
    return try read(document: XMLDocument(parsing: data, file: file, limits: limits))
  }

  /// Reads a mapping out of XML that was read already.
  public static func read(document: XMLDocument) throws(DiagnosticList) -> MappingReading {
    var findings = MappingFindings()
    let surroundings = try MappingSurroundings(of: document, &findings)
    let mapping = MappingModel(document.root, surroundings, &findings)
    return MappingReading(mappingModel: mapping, diagnostics: findings.diagnostics.sortedByPlace())
  }
}
