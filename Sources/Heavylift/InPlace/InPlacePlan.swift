import Foundation
import HeavyliftMapping
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore
import HeavyliftEngine

/// The changes that a migration in place makes, or the reasons why it cannot be made.
public struct InPlacePlan: Hashable, Sendable {
  /// The steps of each hop, in the order in which they run. Later hops are planned without data.
  public internal(set) var hops: [[InPlaceStep]] = []
  /// The reasons why the store cannot be migrated in place; empty if it can.
  public internal(set) var refusals: [String] = []

  /// A Boolean value that indicates whether the schema alone changes, so that the time does not depend on the number of
  /// objects.
  public var isOfSchemaAlone: Bool { hops.allSatisfy { $0.allSatisfy { !$0.readsRows } } }
}

extension IncrementalMigrationManager {
  /// Adds the changes that a migration in place makes to a plan.
  func planInPlace(_ plan: inout IncrementalMigrationPlan, _ options: IncrementalMigrationOptions) throws {
    var inPlace = InPlacePlan()
    inPlace.refusals = refusalsInPlace(plan, options)
    if let execution = engineHops, inPlace.refusals.isEmpty {
      for (number, hop) in plan.hops.enumerated() {
        do {
          inPlace.hops.append(
            try steps(
              of: hop, number == 0 ? plan.store : nil, configuration: plan.configuration, execution, options))
        } catch let refusal as InPlaceRefusal {
          inPlace.hops.append([])
          inPlace.refusals += refusal.reasons.map { "hop \(hop.title): \($0)" }
        }
      }
    }
    // The journal or the log holds the pages that change. Which share of the file those are is not known in advance.
    plan.neededBytes = inPlace.isOfSchemaAlone ? 1 << 20 : plan.storeBytes + plan.storeBytes / 4 + 1 << 20
    plan.inPlace = inPlace
  }

  private func steps(
    of hop: MigrationHop, _ store: URL?, configuration: String?, _ execution: MappingHopExecution,
    _ options: IncrementalMigrationOptions
  ) throws -> [InPlaceStep] {
    let run = InPlaceHopRun(
      hop: hop, execution: execution, defersCleanup: options.defersCleanup, cancellation: MigrationCancellation(),
      willRun: {})
    if let store { return try steps(run, store) }
    return try hop.withEmptySource([execution.options.configuration, configuration]) { try steps(run, $0) }
  }

  private func steps(_ run: InPlaceHopRun, _ store: URL) throws -> [InPlaceStep] {
    let file = try StoreFile(url: store, mode: .readOnly)
    defer { try? file.close() }
    return try run.plan(file)
  }

  /// The reason why another execution cannot migrate in place.
  static let refusalOfExecution = "its hop execution only writes new stores"

  /// Returns the reasons why a migration cannot be carried out in place, judging by its plan and options alone.
  func refusalsInPlace(_ plan: IncrementalMigrationPlan, _ options: IncrementalMigrationOptions) -> [String] {
    // The handlers of a stage work on a private copy.
    let others = plan.hops.flatMap(\.steps).filter {
      !$0.mappings.allSatisfy(\.isInferred) || !($0.stage?.handlers ?? []).isEmpty
    }
    var reasons = others.map { hop in
      "hop \(hop.title) is not lightweight: it runs \(hop.reason)"
    }
    if engineHops == nil { reasons.append(Self.refusalOfExecution) }
    if options.backup != nil {
      reasons.append(
        "no backup would remain, because the store itself is changed; copy the store first, or use no backup")
    }
    if options.provenance != nil || engineHops?.options.provenance != nil {
      reasons.append("no provenance is recorded: all objects keep their keys")
    }
    if options.acceptsDamage { reasons.append("a damaged store can only be copied") }
    if hopHandler != nil { reasons.append("there are no stores before and after a hop that could be verified") }
    return reasons
  }
}

/// A change that a lightweight migration makes in the store itself.
public struct InPlaceStep: Hashable, Sendable {
  /// The kind of change.
  package typealias Kind = InPlaceEffect

  /// The kind of change.
  package var kind: Kind
  /// The table, by its new name.
  public var table: String
  /// The column, index or trigger; `nil` if the step is about the table itself.
  public var part: String?
  /// The number of rows that were changed; `nil` in a plan, and for steps that change no rows.
  public var rows: Int?

  init(_ statement: InPlaceChange.Statement, rows: Int? = nil) {
    (kind, table, part, self.rows) = (statement.effect, statement.table, statement.part, rows)
  }

  init(_ kind: Kind, table: String, part: String?) {
    (self.kind, self.table, self.part) = (kind, table, part)
  }

  /// A Boolean value that indicates whether the step reads or writes all rows of its table.
  public var readsRows: Bool { kind.readsRows }
}

extension InPlaceStep: CustomStringConvertible {
  /// One line: `adds column 'ZRATING' of table 'ZTRACK'`.
  public var description: String {
    let thing =
      switch kind {
      case .createsTable, .dropsTable, .defersTable, .renamesTable: "'\(table)'"
      case .movesRows, .fillsLinks, .removesLinks, .removesRows, .renumbersRows: "table '\(table)'"
      case .fillsColumn, .derivesColumn: part.map { "\($0) of table '\(table)'" } ?? "table '\(table)'"
      case .addsColumn, .dropsTrigger, .dropsIndex, .dropsColumn, .defersColumn, .renamesColumn, .createsIndex,
        .createsTrigger:
        "'\(part ?? "")' of table '\(table)'"
      }
    return "\(kind.rawValue) \(thing)" + (rows.map { ", \($0.counted(as: "row"))" } ?? "")
  }
}
