import Foundation
import HeavyliftArchive
import HeavyliftMapping
import HeavyliftModel

/// Reads mapping files, which describe how stores of one model version become stores of another.
///
/// ```swift
/// let reading = try MappingReader.read(contentsOf: URL(filePath: "MappingModels/Music/1-2.xml"))
/// for diagnostic in reading.diagnostics { print(diagnostic) }
/// let mapping = try reading.validMappingModel()
/// ```
///
/// Such files are written by hand. Unknown elements and attributes are errors and never ignored: an unnoticed typo
/// could lose data.
package enum MappingReader {
  /// The limits of a mapping file: far more than anyone writes, and far less than would fill the memory.
  static let limits = XMLLimits(maximumBytes: 16 << 20, maximumDepth: 16, maximumElements: 200_000)

  /// Reads a file. Messages call it `file`, or use its path if `file` is nil.
  ///
  /// Throws if the file does not yield a mapping model at all. Other mistakes are in the reading's diagnostics.
  package static func read(contentsOf url: URL, file: String? = nil) throws(DiagnosticList) -> MappingReading {
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

  /// Reads the text of a mapping file, which messages call `file`.
  package static func read(text: String, file: String? = nil) throws(DiagnosticList) -> MappingReading {
    try read(data: Data(text.utf8), file: file)
  }

  /// Reads the bytes of a mapping file, which messages call `file`.
  package static func read(data: Data, file: String? = nil) throws(DiagnosticList) -> MappingReading {
    // Checked before parsing XML: many web pages and all compiled files are not XML, and "not well-formed" would be
    // misleading.
    if let other = OtherFile(startOf: data) {
      throw DiagnosticList([other.diagnostic(at: DiagnosticLocation(file: file, line: 1, column: 1))])
    }
    return try read(document: XMLDocument(parsing: data, file: file, limits: limits))
  }

  /// Reads a mapping from a parsed XML document.
  package static func read(document: XMLDocument) throws(DiagnosticList) -> MappingReading {
    var findings = MappingFindings()
    let surroundings = try MappingSurroundings(of: document, &findings)
    let mapping = MappingModel(document.root, surroundings, &findings)
    return MappingReading(mappingModel: mapping, diagnostics: findings.diagnostics.sortedByPlace())
  }
}
