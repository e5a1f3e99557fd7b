import Foundation

/// What a migration has done so far, for whoever comes after it was killed.
///
/// It is written whole after each step that counts, and never before the step is on disk. Whatever does not agree with
/// what lies there is not believed, and the migration starts anew from the store, which is still the old one then.
struct MigrationJournal: Codable, Hashable, Sendable {
  enum State: String, Codable, Hashable, Sendable {
    /// Some hops are done.
    case working
    /// The new store is complete, checked and on disk. It has no other name yet, or is the store already.
    case ready
  }

  struct FinishedHop: Codable, Hashable, Sendable {
    /// In the work folder.
    var file: String
    var identity: FileIdentity
  }

  static let currentFormat = 1

  var format = MigrationJournal.currentFormat
  var state = State.working
  /// The store as it was read.
  var source: StoreFingerprint
  /// A digest of all that decides what the hops do.
  var plan: String
  /// How many hops are done.
  var finishedHops = 0
  /// The store that the last of them has made.
  var last: FinishedHop?
  /// Large values of the new store that were not in the store's folder: they go if the migration is given up.
  var addedFiles: [String] = []
  /// Large values of the old store alone: they go when the new store is in its place.
  var removedFiles: [String] = []
  /// A name that was free when the migration began.
  var backup: String?
  /// What the hops that are done tell of objects' origins, in the form in which it is to be left when all are.
  var provenance: FinishedHop?
  /// Where it is to be left: a name that was free, too.
  var provenancePlace: String?

  init(source: StoreFingerprint, plan: String, backup: URL?, provenance: URL? = nil) {
    self.source = source
    self.plan = plan
    self.backup = backup?.path
    provenancePlace = provenance?.path
  }

  init?(_ data: Data) {
    guard let journal = try? JSONDecoder().decode(Self.self, from: data), journal.format == Self.currentFormat,
      // A name with a slash would lead out of the folder.
      (journal.addedFiles + journal.removedFiles).allSatisfy({ UUID(uuidString: $0) != nil }),
      [journal.last, journal.provenance].allSatisfy({ !($0?.file.contains("/") ?? false) })
    else { return nil }
    self = journal
  }

  func data() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }
}
