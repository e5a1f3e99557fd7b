public import Foundation
public import HeavyliftModel
import HeavyliftEngine

/// Something that a log of a migration should contain.
///
/// ```swift
/// manager.eventHandler = { event in print(event.level, event) }
/// ```
///
/// Events have no values of objects, only names of the model, paths and counts.
public enum MigrationEvent: Sendable {
  /// The importance of an event, in the words of most logging systems.
  public enum Level: String, Hashable, Sendable, CaseIterable, Comparable {
    /// The way in which something is done.
    case debug
    /// A step that is done.
    case info
    /// Something that may not be meant.
    case warning
    /// The end of a migration that failed.
    case error

    /// Compares the importance.
    public static func < (left: Level, right: Level) -> Bool {
      (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
  }

  /// A store is about to be migrated as planned.
  case began(IncrementalMigrationPlan)
  /// A hop begins.
  ///
  /// - Parameters:
  ///   - number: The position of the hop, starting at 1.
  ///   - count: The number of hops.
  case hopBegan(MigrationHop, number: Int, count: Int)
  /// A hop has decided how it migrates each entity mapping.
  case hopPlanned(MigrationPlan, number: Int)
  /// A hop is done.
  case hopFinished(IncrementalMigrationReport.Hop, number: Int)
  /// A hop has done or left out something that may not be meant.
  case warning(Diagnostic)
  /// All hops are done, and the new store is about to take the place of the old one.
  case swapping(store: URL)
  /// The store has the new version.
  case finished(IncrementalMigrationReport)
  /// The migration has failed; the old store is still there.
  case failed(MigrationError)

  /// The importance of the event.
  public var level: Level {
    switch self {
    case .hopPlanned: .debug
    case .began, .hopBegan, .hopFinished, .swapping, .finished: .info
    case .warning: .warning
    case .failed: .error
    }
  }
}

extension MigrationEvent: CustomStringConvertible {
  /// The event in a line, or in several for a plan and for an error.
  public var description: String {
    switch self {
    case .began(let plan):
      "migrating store '\(plan.store.path)' from \(plan.versionTitle) to "
        + (plan.destinationModel.name ?? "unnamed").quotedName
    case .hopBegan(let hop, let number, let count): "hop \(number) of \(count): \(hop.title), \(hop.reason)"
    case .hopPlanned(let plan, let number):
      "hop \(number): "
        + plan.summary(counts: true).map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "; ")
    case .hopFinished(let hop, let number):
      "hop \(number) is done after \(hop.seconds.shortSeconds)"
        + (hop.objectCount.map { ": \($0.grouped) \($0 == 1 ? "object" : "objects")" } ?? "")
    case .warning(let diagnostic): "\(diagnostic)"
    case .swapping(let store): "moving the new store into place: '\(store.path)'"
    case .finished(let report): "\(report)".split(separator: "\n").first.map(String.init) ?? ""
    case .failed(let error): "\(error)"
    }
  }
}

extension Double {
  /// A duration in seconds, with enough digits to compare it: `0.04 s`.
  package var shortSeconds: String { "\((self * 100).rounded() / 100) s" }
}
