import Foundation
import HeavyliftStore

/// Writes a provenance as lines of JSON: `{"source":"x-coredata://…","destination":"x-coredata://…","mappings":["…"]}`.
struct ProvenanceLines {
  let provenance: URL
  let files: FileOperations

  func write(to url: URL, cancellation: MigrationCancellation) throws {
    let provenance = try MigrationProvenance(contentsOf: provenance)
    // There are only a few different lists of mappings, and each occurs in many lines.
    var mappings: [[String]: String] = [:]
    try files.writeLines(to: url) { write in
      try provenance.forEach { record in
        if let reason = cancellation.reason { throw reason }
        let names = record.entityMappingNames
        let text =
          mappings[names] ?? names.map(JSONText.quoted).joined(separator: ",")
        mappings[names] = text
        let (source, destination) = (record.source.uriRepresentation, record.destination.uriRepresentation)
        try write(
          "{\"source\":\(JSONText.quoted(source)),\"destination\":\(JSONText.quoted(destination)),"
            + "\"mappings\":[\(text)]}")
      }
    }
  }
}
