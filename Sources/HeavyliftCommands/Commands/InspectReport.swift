import Heavylift
import HeavyliftModel
import HeavyliftStore

/// Everything known about a store, before it is formatted as text or JSON.
struct InspectReport {
  /// The state of the model that a store embeds.
  enum OwnModel: Equatable {
    case none
    /// The model has the store's version hashes.
    case current
    /// The model's version differs from the store's, in these entities.
    case stale(differing: [String])
    case unreadable(String)
  }

  let path: String
  let inspection: StoreInspection
  let version: StoreVersion
  /// The location of the model that fits.
  let modelPlace: String?
  let ownModel: OwnModel
  let candidateCount: Int
  /// Version hashes by entity, if requested.
  let hashes: [String: VersionHash]?
  /// Anomalies, and reasons why the store cannot be read with the model that fits.
  let notes: [Diagnostic]
  /// The candidates that fit equally well, or if none fits, the misfits with their reasons; empty if exactly one
  /// candidate fits.
  let undecided: [(place: String, reasons: [String])]

  init(path: String, _ file: StoreFile, _ candidates: ModelCandidates, showsHashes: Bool) throws {
    self.path = path
    candidateCount = candidates.models.count
    version = try file.version(among: candidates.models, preferring: candidates.current)
    var notes: [Diagnostic] = []
    var layout: PhysicalLayout?
    if let fit = version.fit {
      do {
        let store = try PersistentStore(file: file, model: fit.model, configuration: fit.configuration)
        layout = store.layout
        notes += try store.missingExternalFiles().diagnostic(.warning, in: store.externalData).map { [$0] } ?? []
      } catch let diagnostic as Diagnostic {
        notes.append(diagnostic)
      }
    }
    modelPlace = version.fit.map { fit in
      fit.evidence == .modelCache ? "the model that the store contains" : candidates.places(of: fit)
    }
    undecided = try Self.undecided(version, file, candidates)
    ownModel = try Self.ownModel(of: file)
    inspection = try StoreInspection(file, layout: layout)
    hashes = showsHashes ? file.metadata.versionHashes : nil
    self.notes = notes + inspection.notes
  }

  private static func ownModel(of file: StoreFile) throws -> OwnModel {
    switch try file.carriedModel() {
    case .none: .none
    case .current: .current
    case .stale(let entities): .stale(differing: entities)
    case .unreadable(let reason): .unreadable(reason.problem)
    }
  }

  /// True if the store has the version of one of the given models.
  var fitsGivenModel: Bool { version.fit.map { $0.evidence != .modelCache } ?? false }

  private static func undecided(
    _ version: StoreVersion, _ file: StoreFile, _ candidates: ModelCandidates
  ) throws -> [(place: String, reasons: [String])] {
    let misfits: [StoreVersion.Misfit]
    switch version {
    case .several(let fits): return fits.map { (candidates.place(of: $0.model), []) }
    case .none(let found): misfits = found
    // The store embeds its own model, but the user still wants to know why none of the given models fits.
    case .one(let fit): misfits = fit.evidence == .modelCache ? try file.misfits(among: candidates.models) : []
    }
    return misfits.map { (candidates.place(of: $0.model), $0.reasons) }
  }
}

extension StoreVersion {
  /// The one model that fits.
  var fit: Fit? {
    if case .one(let fit) = self { fit } else { nil }
  }
}
