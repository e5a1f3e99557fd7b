import Foundation

/// The file format of a provenance.
enum ProvenanceForm {
  /// An SQLite file, for `MigrationProvenance` and for SQL queries.
  case database
  /// One line of JSON for each record.
  case lines

  /// Chooses the format by the file extension.
  init(of url: URL) { self = url.pathExtension.lowercased() == "jsonl" ? .lines : .database }
}
