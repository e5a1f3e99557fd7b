import Foundation
public import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore
import HeavyliftEngine

/// The error that stopped a store from being planned for, migrated or opened. The store is unchanged.
///
/// ```swift
/// do {
///   try await manager.migrate(store)
/// } catch {
///   switch error.kind {
///   case .inUse: showAlert("Close the other window first.")
///   default: logger.error("\(error)")
///   }
/// }
/// ```
///
/// The manager throws nothing else. The error of a policy, of a function or of a handler is ``cause``. As an `NSError`,
/// it has Core Data's domain and number.
public struct MigrationError: Error {
  /// The possible reasons for the error, each with Core Data's error number for the same kind of problem.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// 134110: another process is migrating this store.
    case alreadyRunning = "already-running"
    /// 134110: an application has the store open.
    case inUse = "in-use"
    /// 134110: the store changed while it was being migrated.
    case changedMeanwhile = "changed-meanwhile"
    /// 134110: not enough free disk space.
    case noSpace = "no-space"
    /// 134180: the store's file is damaged.
    case damaged
    /// 134110: a file operation failed.
    case files
    /// 134130: the store matches none of the models.
    case unknownVersion = "unknown-version"
    /// 134130: the store's version is newer than the requested one.
    case newerVersion = "newer-version"
    /// 134140: no mappings lead from the store's version to the requested one.
    case noPath = "no-path"
    /// 134140: the available mappings form a cycle.
    case circle
    /// 134140: several paths are equally short.
    case severalPaths = "several-paths"
    /// 134160: a file already exists at the path of the new store or the backup.
    case destinationExists = "destination-exists"
    /// 134110, or the number of the underlying error: a hop failed.
    case hop
    /// 134110: the store cannot be migrated in place.
    case notInPlace = "not-in-place"
    /// 134120: the migration was cancelled.
    case cancelled
    /// 134110: the models, the mappings or the program's code have mistakes: see ``MigrationError/diagnostics``.
    case mistakes
    /// 134110, 134504 or 134506: the list of stages has mistakes: see ``MigrationError/diagnostics``.
    case stages
    /// 134080: the store cannot be opened or read.
    case unreadable

    /// The Core Data error number.
    public var number: Int {
      switch self {
      case .alreadyRunning, .inUse, .changedMeanwhile, .noSpace, .files, .hop, .notInPlace, .mistakes, .stages: 134_110
      case .unreadable: 134_080
      case .unknownVersion, .newerVersion: 134_130
      case .noPath, .circle, .severalPaths: 134_140
      case .destinationExists: 134_160
      case .damaged: 134_180
      case .cancelled: 134_120
      }
    }
  }

  /// The reason for the error.
  public var kind: Kind
  /// The problem, starting in lower case.
  public var problem: String
  /// The remedy, if one is known.
  public var remedy: String?
  /// The original error, unchanged.
  public var underlying: (any Error)?
  /// The error number of staged migrations, if the migration has stages: 134504 if the store's version is unknown,
  /// 134505 if its metadata has no version hashes, 134506 if it is newer than the requested version.
  var stageNumber: Int?

  /// Creates an error.
  public init(_ kind: Kind, problem: String, remedy: String? = nil, underlying: (any Error)? = nil) {
    self.kind = kind
    self.problem = problem
    self.remedy = remedy
    self.underlying = underlying
  }

  /// The Core Data error number: that of the underlying error, if it has one.
  ///
  /// In a migration with stages, it is 134504 if the store's version is unknown, 134505 if its metadata has no version
  /// hashes, and 134506 if the store is newer than the requested version.
  public var number: Int {
    stageNumber ?? (underlying as? HopError)?.code.rawValue ?? (underlying as? StagedMigrationError)?.number
      ?? kind.number
  }

  /// The error as a diagnostic: the first one, if there are several.
  public var diagnostic: Diagnostic {
    found?.first ?? Diagnostic(.error, code: "migration.\(kind.rawValue)", problem: problem, remedy: remedy)
  }

  /// All mistakes that were found, or else the error itself.
  public var diagnostics: [Diagnostic] { found ?? [diagnostic] }

  private var found: [Diagnostic]? {
    switch kind {
    case .mistakes, .stages, .unreadable: underlying.map { [Diagnostic](of: $0) }
    default: nil
    }
  }

  /// The innermost error: that of a policy, of a function, of a handler or of the system, unchanged.
  public var cause: (any Error)? {
    var cause = underlying
    while true {
      switch cause {
      case let error as HopError where error.underlying != nil: cause = error.underlying
      case let error as MigrationError where error.underlying != nil: cause = error.underlying
      default: return cause
      }
    }
  }
}

extension MigrationError: CustomStringConvertible {
  /// The problem, and the remedy on a line of its own.
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

extension MigrationError: LocalizedError, CustomNSError {
  /// The problem.
  public var errorDescription: String? { diagnostics.map(\.problem).joined(separator: "\n") }
  /// The remedy, if one is known.
  public var recoverySuggestion: String? {
    let remedies = diagnostics.compactMap(\.remedy)
    return remedies.isEmpty ? nil : remedies.joined(separator: "\n")
  }
  /// The domain of Core Data's errors.
  public static var errorDomain: String { HopError.errorDomain }
  /// Core Data's number.
  public var errorCode: Int { number }
  /// The texts, and the underlying error.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: errorDescription ?? ""]
    info[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
    info[NSUnderlyingErrorKey] = underlying
    return info
  }
}

extension MigrationError {
  /// The error that a manager throws for any error.
  init(of error: any Error, _ store: URL) {
    switch error {
    case let error as MigrationError: self = error
    case let error as HopError:
      self.init(.hop, problem: error.diagnostic.problem, remedy: error.remedy, underlying: error)
    case let error as StagedMigrationError: self.init(.stages, error.diagnostics, error)
    case let error as DiagnosticList: self.init(.mistakes, error.diagnostics, error)
    case let error as Diagnostic: self.init(error.code.hasPrefix("store.") ? .unreadable : .mistakes, [error], error)
    case is SQLiteError: self.init(.unreadable, [Diagnostic](of: error), error)
    default: self = .files(store, "an operation failed", error)
    }
  }

  private init(_ kind: Kind, _ diagnostics: [Diagnostic], _ error: any Error) {
    self.init(
      kind, problem: diagnostics.map(\.problem).joined(separator: "\n"), remedy: diagnostics.first?.remedy,
      underlying: error)
  }

  /// Returns what a body returns; any error that it throws becomes a migration error.
  static func wrapping<Result>(_ store: URL, _ body: () throws -> Result) throws(MigrationError) -> Result {
    do {
      return try body()
    } catch {
      throw MigrationError(of: error, store)
    }
  }
}

extension MigrationError {
  static func alreadyRunning(_ store: URL, process: Int32?) -> Self {
    Self(
      .alreadyRunning, problem: "store '\(store.path)' is being migrated by \(ProcessName.words(process))",
      remedy: "wait until it is done; nothing was changed")
  }

  static func inUse(_ store: URL, process: Int32?) -> Self {
    Self(
      .inUse, problem: "store '\(store.path)' is in use by \(ProcessName.words(process))",
      remedy: (process == getpid() ? "close it first" : "quit the program that has it open")
        + ", then try again; nothing was changed")
  }

  static func usersUnknown(_ store: URL, _ proc: URL, _ error: any Error) -> Self {
    let number = SystemErrorNumber(error)?.value
    let reason = number.map { String(cString: strerror($0)).lowercased() } ?? "\(error)"
    let remedy =
      switch number {
      case EMFILE, ENFILE: "close files, or raise the limit of open files"
      default: "mount '\(proc.path)', or migrate to another path"
      }
    return Self(
      .files,
      problem: "store '\(store.path)' cannot be migrated: programs that have it open cannot be found, because "
        + "'\(proc.path)' cannot be read: \(reason)",
      remedy: "\(remedy); nothing was changed", underlying: error)
  }

  static func changedMeanwhile(_ store: URL) -> Self {
    Self(
      .changedMeanwhile, problem: "store '\(store.path)' was changed while it was being migrated",
      remedy: "quit the program that writes to it, then try again; the change is in the store, and nothing else was "
        + "changed")
  }

  static func damaged(_ store: URL, _ findings: [String]) -> Self {
    let ofLog =
      SourceCheck.isIntactWithoutLog(store)
      ? "without its -wal, the file is intact: if the -wal belongs to another store, move it away; otherwise, " : ""
    return Self(
      .damaged, problem: "store '\(store.path)' is damaged: \(findings.joined(separator: "; "))",
      remedy: ofLog
        + "restore it from a backup, or migrate what can be read with '--accept-damage' ('acceptsDamage'), which "
        + "reports every lost row; nothing was changed")
  }

  static func noSpace(_ store: URL, at target: URL, needed: Int64, available: Int64) -> Self {
    let disk = target == store ? "its disk" : "the disk of '\(target.path)'"
    return Self(
      .noSpace,
      problem:
        "store '\(store.path)' needs about \(needed.byteText) on \(disk) to be migrated, "
        + "but only \(available.byteText) is free",
      remedy: "free some space, or migrate to another disk; nothing was changed")
  }

  static func noSpace(forBackup backup: URL, needed: Int64, available: Int64) -> Self {
    Self(
      .noSpace,
      problem:
        "backup '\(backup.path)' is on a different disk than the store and needs about \(needed.byteText) there, "
        + "but only \(available.byteText) is free",
      remedy: "free some space, or choose a path on the store's disk; nothing was changed")
  }

  static func files(_ store: URL, _ what: String, _ error: any Error) -> Self {
    let number = SystemErrorNumber(error)?.value
    let reason = number.map { String(cString: strerror($0)).lowercased() } ?? "\(error)"
    let remedy =
      switch number {
      case ENOSPC, EDQUOT: "free some space, then try again"
      case EACCES, EPERM, EROFS: "make sure that the store and its folder are writable, or migrate to another place"
      default: "try again; if that does not help, migrate to another disk"
      }
    return Self(
      .files, problem: "store '\(store.path)' cannot be migrated: \(what): \(reason)", remedy: remedy, underlying: error
    )
  }

  static func folder(_ folder: URL, for file: URL, _ error: POSIXError) -> Self {
    let reason = String(cString: strerror(error.code.rawValue)).lowercased()
    let remedy =
      switch error.code {
      case .ENOENT, .ENOTDIR: "create the folder first, or choose another path"
      default: "make sure that the folder is writable, or choose another path"
      }
    return Self(
      .files, problem: "'\(file.path)' cannot be created: folder '\(folder.path)': \(reason)",
      remedy: "\(remedy); nothing was changed", underlying: error)
  }

  static func sameFile(_ url: URL) -> Self {
    Self(
      .destinationExists, problem: "'\(url.path)' is the path of both a store and its provenance",
      remedy: "choose another path for one of them; nothing was changed")
  }

  static func isStore(_ url: URL) -> Self {
    Self(
      .destinationExists, problem: "'\(url.path)' is the store itself",
      remedy: "choose another path for the new file; nothing was changed")
  }

  static func sharedFolder(_ place: URL, with other: URL) -> Self {
    let folder = ExternalDataFolder(store: place).supportFolder.lastPathComponent
    return Self(
      .destinationExists,
      problem:
        "'\(place.path)' would share its folder for large values, '\(folder)', with '\(other.lastPathComponent)'",
      remedy: "choose a file name that differs in more than its extension, or another folder; nothing was changed")
  }

  static func lockout(_ store: URL, _ error: FileRights.Lockout) -> Self {
    Self(
      .files, problem: "store '\(store.path)' cannot be replaced: \(error)",
      remedy: "migrate it as its owner or as a member of its group, or to another place; nothing was changed",
      underlying: error)
  }

  static func attribute(_ store: URL, _ error: ExtendedAttributes.Refusal) -> Self {
    Self(
      .files, problem: "store '\(store.path)' cannot be migrated: \(error)",
      remedy: "remove the attribute first if you can do without it, e.g. with 'setfattr -x \(error.name)'; "
        + "nothing was changed",
      underlying: error)
  }

  static func special(_ store: URL, _ error: SpecialFile) -> Self {
    Self(
      .files,
      problem: "store '\(store.path)' cannot be migrated: one of its files, or a file in its work folder, is a "
        + error.rawValue,
      remedy: "find the \(error.rawValue) next to the store, and remove it; nothing was changed", underlying: error)
  }

  static func foreignWorkFolder(_ folder: URL, for store: URL, _ reason: String) -> Self {
    Self(
      .files, problem: "store '\(store.path)' cannot be migrated: '\(folder.path)' cannot be trusted: \(reason)",
      remedy: "find out who created it, and remove it; nothing was changed")
  }

  static func unconfirmed(_ store: URL, _ error: any Error) -> Self {
    let reason = SystemErrorNumber(error).map { String(cString: strerror($0.value)).lowercased() } ?? "\(error)"
    return Self(
      .files, problem: "store '\(store.path)' was migrated, but its folder could not be written to disk: \(reason)",
      remedy: "the new store is in place; check the disk, then migrate again to clean up", underlying: error)
  }

  static func noProvenance(_ store: URL) -> Self {
    Self(
      .hop,
      problem: "store '\(store.path)' cannot be migrated with provenance: its hop execution records none",
      remedy: "use 'MappingHopExecution', or do not request provenance; nothing was changed")
  }

  static func notInPlace(_ store: URL, _ reasons: [String]) -> Self {
    let list = reasons.count == 1 ? " \(reasons[0])" : reasons.map { "\n  - \($0)" }.joined()
    return Self(
      .notInPlace, problem: "store '\(store.path)' cannot be migrated in place:\(list)",
      remedy: "migrate it with a copy, which is the default; nothing was changed")
  }

  static func destinationExists(_ url: URL) -> Self {
    Self(
      .destinationExists, problem: "'\(url.path)' already exists",
      remedy: "choose another path, or remove it first; nothing was changed")
  }

  /// Returns an error if a new store at a path would replace a file, or would read the log that a former store has left.
  static func taken(_ place: URL, besides store: URL, _ files: FileOperations) throws -> Self? {
    if place.resolvingFolder == store { return isStore(place) }
    if try files.exists(place) { return destinationExists(place) }
    return try PersistentStore.leftoverLog(at: place).map { log in
      Self(
        .destinationExists,
        problem: "'\(log.path)' already exists: SQLite would read it as part of the new store",
        remedy: "choose another path, or remove it first: it is what a former store of that name has left; nothing was "
          + "changed")
    }
  }
}
