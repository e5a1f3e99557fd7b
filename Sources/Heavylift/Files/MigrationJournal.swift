import Foundation
import HeavyliftStore
import HeavyliftEngine

/// The state of a migration, kept on disk for the next run in case this one is killed.
///
/// The journal is rewritten in full after each important step, and never before that step is on disk. A journal that
/// does not match the files is discarded, and the migration starts over from the store, which is still the old one at
/// that point.
struct MigrationJournal: Codable, Hashable, Sendable {
  enum State: String, Codable, Hashable, Sendable {
    /// Some hops are done.
    case working
    /// The new store is complete, checked and on disk. It is still in the work folder, or already in place.
    case ready
  }

  /// A hop as it appears in reports.
  struct Hop: Codable, Hashable, Sendable {
    var title: String
    var origin: MigrationHop.Origin
  }

  struct FinishedHop: Codable, Hashable, Sendable {
    /// The file's name in the work folder.
    var file: String
    var identity: FileIdentity
  }

  /// The backup, with the identities that prove that its files are ours: another process may have taken their names.
  struct Backup: Codable, Hashable, Sendable {
    /// The final path of the backup.
    var place: String
    /// The identities of the backup's file and of its folder for large values, once they are complete.
    var file: FileIdentity?
    var support: FileIdentity?
  }

  /// The handlers of a stage's hop that is not finished yet.
  struct Handlers: Codable, Hashable, Sendable {
    /// The number of the hop.
    var hop: Int
    /// The handlers that run before the hop, once they have started.
    var before: Handled?
    /// The handlers that run after the hop, once they have started.
    var after: Handled?
    /// The hop's report, once the handlers after the hop are done.
    var report: MigrationReport?
  }

  /// A store on which handlers run, or have run.
  struct Handled: Codable, Hashable, Sendable {
    /// The store's file when the handlers started; later, only its size and time may differ.
    var identity: FileIdentity
    /// True if the handlers have run. If false, a mark in the store decides.
    var isDone = false
  }

  static let currentFormat = 6

  var format = MigrationJournal.currentFormat
  var state = State.working
  /// The store as it was when it was read.
  var source: StoreFingerprint
  /// True while the store's file gets other names, which changes its time of change: only its content counts then.
  var isSwapping = false
  /// A digest of everything that determines what the hops do.
  var plan: String
  /// All hops of the migration.
  var hops: [Hop] = []
  /// The number of finished hops.
  var finishedHops = 0
  /// The reports of the finished hops, which the next run passes on; nil for a copy without a hop.
  var reports: [MigrationReport?] = []
  /// The store written by the last finished hop.
  var last: FinishedHop?
  /// The handlers of the hop after the finished ones.
  var handlers: Handlers?
  /// Large values of the new store that were not in the store's folder before: they are removed if the migration is
  /// abandoned.
  var addedFiles: [String] = []
  /// Large values that only the old store refers to: they are removed once the new store is in place.
  var removedFiles: [String] = []
  /// Part of the names of all files that this migration creates in folders other than its own. No other process can
  /// guess it, so a file with such a name is ours.
  var mark = UUID().uuidString
  var backup: Backup?
  /// The provenance of the finished hops, in its final form once all of them are done.
  var provenance: FinishedHop?
  /// The path for the provenance. No file existed there when the migration began.
  var provenancePlace: String?

  init(source: StoreFingerprint, plan: String, hops: [MigrationHop], backup: URL?, provenance: URL? = nil) {
    self.source = source
    self.plan = plan
    self.hops = hops.map { Hop(title: $0.title, origin: $0.origin) }
    self.backup = backup.map { Backup(place: $0.path) }
    provenancePlace = provenance?.path
  }

  init?(_ data: Data) {
    guard let journal = try? JSONDecoder().decode(Self.self, from: data), journal.format == Self.currentFormat,
      // A name with a slash would point outside the folder.
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
