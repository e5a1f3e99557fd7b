import Foundation
import Heavylift
import HeavyliftModel
import HeavyliftStore

/// A store that is opened for reading with the only model that fits it.
struct StoreSource {
  let path: String
  let store: PersistentStore

  /// Throws unless exactly one model fits.
  init(path: String, candidates: ModelCandidates, _ io: CommandIO) throws {
    self.path = path
    let file = try StoreFile(url: io.url(path), mode: .readOnly)
    let fit = try candidates.model(of: file)
    if fit.evidence == .modelCache, !candidates.models.isEmpty { try Self.reportOwnModel(path, candidates, io) }
    store = try PersistentStore(file: file, model: fit.model, configuration: fit.configuration)
  }

  /// Warns that the store's own model is used: a user who gives models expects one of them to be used.
  private static func reportOwnModel(_ path: String, _ candidates: ModelCandidates, _ io: CommandIO) throws {
    let models = candidates.sources.map { "--model \"\($0.path)\"" }.joined(separator: " ")
    let note = Diagnostic(
      .warning, code: "store.own-model",
      problem: "store '\(path)' was not written with any of the given models: "
        + "it is read with its own model",
      remedy: "see how they differ: 'heavylift inspect \"\(path)\" \(models)'")
    try io.writeError(lines: [note.description.shownLines])
  }

  /// Returns the names of the chosen entities and their sub-entities; `nil` if none are chosen.
  func entityNames(chosen names: [String]) throws -> Set<String>? {
    guard !names.isEmpty else { return nil }
    var chosen: Set<String> = []
    let byNumber = Dictionary(
      store.layout.entities.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    for name in names {
      guard let entity = store.layout.entity(named: name) else {
        throw Diagnostic(
          .error, code: "store.unknown-entity", problem: "store '\(path)' has no entity '\(name)'",
          remedy: store.layout.entities.map(\.name).suggestion(for: name, kind: "entity"))
      }
      chosen.formUnion(entity.numbersWithSubentities.compactMap { byNumber[$0] })
    }
    return chosen
  }
}
