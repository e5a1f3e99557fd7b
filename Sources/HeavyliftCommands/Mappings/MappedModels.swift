import Foundation
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// The source and destination model of a mapping: identified by what the mapping records about them, never guessed.
struct MappedModels {
  /// The source or the destination model.
  struct Side {
    var name: String
    var model: ManagedObjectModel
    /// The path as given or found; `nil` for a model embedded in the mapping's file.
    var path: String?
  }

  let source: Side
  let destination: Side
  /// Notes about how the models were found.
  let notes: [Diagnostic]
  /// True if one of the models comes from the mapping's file.
  var areEmbedded: Bool { source.path == nil || destination.path == nil }

  /// Finds the models of a mapping.
  ///
  /// - Parameters:
  ///   - models: The paths of the models; empty to look next to the mapping's file.
  ///   - versions: The names of the versions, if they differ from those in the mapping.
  init(
    of mapping: MappingSource, models: [String], besides others: [String] = [],
    versions: (source: String?, destination: String?) = (nil, nil),
    _ sources: ModelSources
  ) throws {
    let candidates = try MappingCandidates(for: mapping, given: models, besides: others, sources)
    source = try candidates.side(.source, named: versions.source)
    destination = try candidates.side(.destination, named: versions.destination)
    notes = [(MappingSide.source, source), (.destination, destination)].compactMap { side, found in
      guard found.path == nil else { return nil }
      return Diagnostic(
        .note, code: "mapping.embedded-model",
        problem:
          "the \(side.rawValue) model is the copy that was embedded in '\(mapping.path)' at its last edit",
        remedy: "specify the current model with --model, if there is one")
    }
  }

  /// The mapping with all defaults filled in.
  func complete(_ mapping: MappingModel) -> CompleteMappingModel {
    mapping.complete(from: source.model, to: destination.model)
  }
}
