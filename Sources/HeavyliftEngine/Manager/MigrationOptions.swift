public import Foundation
import HeavyliftArchive

/// Options of a migration that are not part of its mappings.
///
/// ```swift
/// var options = MigrationOptions()
/// options.unknownTables = .refuse
/// options.applicationValues["migratedBy"] = .string("Library 3.1")
/// try manager.migrateStore(from: old, to: new, with: mapping, options: options)
/// ```
public struct MigrationOptions: Sendable {
  /// The treatment of tables in the source file that are not Core Data's.
  public enum UnknownTables: Hashable, Sendable {
    /// Copies them with their indexes. If some cannot be copied, refuses the migration and lists their names.
    case carryOver
    /// Refuses the migration and lists their names.
    case refuse
    /// Leaves them behind and lists them in the report.
    case leaveBehind
  }

  /// The treatment of tables that are not Core Data's. They are carried over by default.
  public var unknownTables = UnknownTables.carryOver
  /// True to migrate all objects one by one, even if SQL statements could do it: for comparison, or to track down a
  /// problem.
  public var forcesObjects = false
  /// True to write every table anew, even if the destination could start as a copy of the source's file.
  public var startsFresh: Bool {
    get { keeping == .never }
    set { keeping = newValue ? .never : .byCost }
  }
  /// The model configuration of the destination, for versions that have a configuration of this name; nil for that of
  /// the source.
  ///
  /// A store that was written without configurations needs it once the model has some.
  public var configuration: String?
  package var keeping = TableKeeping.byCost
  /// Settings for reading source objects ahead on another thread.
  package var prefetching = PrefetchOptions()
  /// Values to add to the destination's metadata, in addition to those of the source.
  ///
  /// If they change, an interrupted migration starts from the beginning. So does one with a value that differs in every
  /// run, such as the current date.
  public var applicationValues: [String: PropertyList] = [:]

  /// The path for a provenance file, which maps destination objects to the source objects they were created from: a
  /// file for `MigrationProvenance`, or lines of JSON if the name ends in `.jsonl`; `nil` for none.
  ///
  /// No file may exist at the path. The file appears together with the store. For a chain, it maps the objects of the
  /// last version to those of the first, and `IncrementalMigrationOptions.provenance` takes precedence.
  public var provenance: URL?

  /// Creates the default options, with which nothing is lost.
  public init() {}
}

/// The conditions under which a second thread reads source rows: ahead of a policy, or for a survey.
package struct PrefetchOptions: Sendable {
  /// The minimum number of source objects that makes it worthwhile to read ahead of a policy.
  package var leastObjects = 2_000
  /// The maximum number of rows in a page. With few rows, the threads wait for each other more often than they work in
  /// parallel.
  package var pageSize = 2_048
  /// The minimum number of rows that makes it worthwhile to survey a table with two threads.
  package var leastSurveyedRows = 20_000

  init() {}
}
