public import Foundation
public import HeavyliftMapping

extension MappingModel {
  /// Reads a mapping model from a file of any kind.
  ///
  /// ```swift
  /// let mapping = try MappingModel(contentsOf: URL(filePath: "MappingModels/Music/1-2.xml"))
  /// ```
  ///
  /// - Parameter url: A mapping file, an `.xcmappingmodel`, an `xcmapping.xml` or a `.cdm`.
  /// - Throws: `DiagnosticList` with all mistakes in the file, and `Diagnostic` if it is none.
  public init(contentsOf url: URL) throws {
    self = try MappingSource(path: url.relativePath, url: url).validMappingModel()
  }
}
