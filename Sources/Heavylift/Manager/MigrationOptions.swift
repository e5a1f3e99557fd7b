public import Foundation
import HeavyliftArchive

/// How a migration treats what is not a matter of mappings.
///
/// ```swift
/// var options = MigrationOptions()
/// options.unknownTables = .refuse
/// options.applicationValues["migratedBy"] = .string("Library 3.1")
/// try manager.migrateStore(from: old, to: new, with: mapping, options: options)
/// ```
public struct MigrationOptions: Sendable {
  /// What becomes of tables in the source's file that are not Core Data's.
  public enum UnknownTables: Hashable, Sendable {
    /// They are copied with their indexes. What cannot be copied is refused by its name.
    case carryOver
    /// The migration is refused, and their names are told.
    case refuse
    /// They stay behind, and the report says so.
    case leaveBehind
  }

  /// Without another choice they come along.
  public var unknownTables = UnknownTables.carryOver
  /// Makes every object one by one, whatever SQL could do: to compare, or to find out what goes wrong.
  public var forcesObjects = false
  /// When another thread reads what a policy is given.
  package var readingAhead = ReadingAhead()
  /// Put into the destination's metadata, beside what the source's holds.
  public var applicationValues: [String: PropertyList] = [:]

  /// Where to leave a file that tells which objects came of which, for `MigrationProvenance`, or as lines of JSON if its
  /// name ends in `.jsonl`; nil leaves none.
  ///
  /// Nothing may be there yet. It appears when the store does. A chain tells what came of its first version's objects in
  /// its last version, and `IncrementalMigrationOptions.provenance` goes before this.
  public var provenance: URL?

  /// Creates options that lose nothing.
  public init() {}
}
