public import HeavyliftModel

/// The mistakes in a list of stages. All of them are found before a store is opened.
///
/// ```swift
/// do {
///   let manager = try StagedMigrationManager(stages, versions: models)
/// } catch let error as StagedMigrationError {
///   for diagnostic in error.diagnostics { print(diagnostic) }
/// }
/// ```
public struct StagedMigrationError: Error, Hashable, Sendable {
  /// The mistakes in the order of the stages.
  public let diagnostics: [Diagnostic]
  /// Core Data's error number for the first mistake: 134504 if a version is missing or its checksum differs, 134506 if
  /// stages lead backward or are in the wrong order, and 134110 for everything else.
  public let number: Int

  init(_ mistakes: [StageMistake]) {
    diagnostics = mistakes.map(\.diagnostic)
    number = mistakes.first?.number ?? 134_110
  }
}

extension StagedMigrationError: CustomStringConvertible {
  /// All mistakes, one after another.
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
