import Foundation

/// The file format of a provenance.
enum ProvenanceForm {
  /// An SQLite file, for `MigrationProvenance` and for SQL queries.
  case database
  /// One line of JSON for each record.
  case lines

  /// Returns the format that a file name asks for.
  init(of url: URL) { self = url.pathExtension.lowercased() == "jsonl" ? .lines : .database }
}
