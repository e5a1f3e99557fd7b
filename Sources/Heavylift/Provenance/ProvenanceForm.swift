import Foundation

/// In which form a provenance is left.
enum ProvenanceForm {
  /// An SQLite file, for `MigrationProvenance` and for whoever asks in SQL.
  case database
  /// A line of JSON a record.
  case lines

  /// What a file is to hold by its name.
  init(of url: URL) { self = url.pathExtension.lowercased() == "jsonl" ? .lines : .database }
}
