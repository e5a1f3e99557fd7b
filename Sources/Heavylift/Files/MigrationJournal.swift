import Foundation
import HeavyliftStore

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

  /// A backup that is made, with what proves that it is ours: names can be taken by others.
  struct Backup: Codable, Hashable, Sendable {
    /// Where it is to be.
    var place: String
    /// Its file and its folder for large values, once they are complete.
    var file: FileIdentity?
    var support: FileIdentity?
  }

  static let currentFormat = 2

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
  /// Large values that the old store refers to and the new one does not have: they go when the new store is in its place.
  var removedFiles: [String] = []
  /// Part of the names of what this migration makes in folders that are not its own. Nobody else can know it, so that what
  /// has such a name is ours.
  var mark = UUID().uuidString
  var backup: Backup?
  /// What the hops that are done tell of objects' origins, in the form in which it is to be left when all are.
  var provenance: FinishedHop?
  /// Where it is to be left: a name that was free, too.
  var provenancePlace: String?

  init(source: StoreFingerprint, plan: String, backup: URL?, provenance: URL? = nil) {
    self.source = source
    self.plan = plan
    self.backup = backup.map { Backup(place: $0.path) }
    provenancePlace = provenance?.path
  }

  init?(_ data: Data) {
    guard let journal = try? JSONDecoder().decode(Self.self, from: data), journal.format == Self.currentFormat,
      // A name with a slash would lead out of the folder.
      (journal.addedFiles + journal.removedFiles).allSatisfy({ UUID(uuidString: $0) != nil }),
      UUID(uuidString: journal.mark) != nil,
      [journal.last, journal.provenance].allSatisfy({ !($0?.file.contains("/") ?? false) && $0?.file != ".." })
    else { return nil }
    self = journal
  }

  func data() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }
}
