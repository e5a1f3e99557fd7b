public import Foundation
public import HeavyliftModel

extension ManagedObjectModel {
  /// Reads a model from any file that contains one; of a bundle, the current version.
  ///
  /// ```swift
  /// let model = try ManagedObjectModel(contentsOf: URL(filePath: "Model/Library.xcdatamodeld"))
  /// ```
  ///
  /// - Parameter url: An `.xcdatamodeld`, an `.xcdatamodel`, a `contents` file, a `.momd` or a `.mom`.
  /// - Throws: `DiagnosticList` for mistakes in the file, and `Diagnostic` if it is none, or if the bundle has no current
  ///   version.
  public init(contentsOf url: URL) throws {
    let source = try ModelSource(path: url.relativePath, url: url)
    _ = try source.validVersions()
    self = try source.version().model
  }
}
