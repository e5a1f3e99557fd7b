import Foundation
import HeavyliftSQLite
import HeavyliftStore

/// The associations between source and destination objects, by entity mapping.
///
/// Associations that a mapping declares are computed: either key can be derived from the other, and a bit records that
/// the object was created. Only associations that policies make are stored.
final class Associations {
  typealias Object = AssociationTable.Object

  private let tableURL: URL
  private var table: AssociationTable?
  /// The source keys whose objects were created as declared, by the number of the entity mapping.
  private var declared: [KeySet]
  /// The source keys of associations that were discarded, although their objects exist.
  private var discarded: [KeySet]
  /// The keys of the destination objects that policies associated, by `Z_ENT`.
  private var recordedKeys: [Int: KeySet] = [:]
  /// True once a policy's associations may give several source objects the same destination object.
  private(set) var hasShared = false

  /// - Parameter mappings: The number of entity mappings.
  init(tableURL: URL, mappings: Int) {
    self.tableURL = tableURL
    declared = [KeySet](repeating: KeySet(), count: mappings)
    discarded = declared
  }

  // MARK: Declared associations

  /// Records that the object for a source key was created as declared. Returns false if that was already recorded.
  func noteDeclared(_ key: Int64, mapping: Int) -> Bool { declared[mapping].insert(key) }

  /// Records all objects that a mapping created as declared.
  func noteDeclared(_ keys: KeySet, mapping: Int) { declared[mapping] = keys }

  /// Returns true if the object for a source key was created as declared.
  func isDeclared(_ key: Int64, mapping: Int) -> Bool { declared[mapping].contains(key) }

  /// Returns the source keys of all objects that were created as declared.
  func declaredKeys(mapping: Int) -> KeySet { declared[mapping] }

  /// Returns the source keys of all objects that were created as declared, including those whose associations were
  /// discarded.
  func createdKeys(mapping: Int) -> KeySet {
    var keys = declared[mapping]
    keys.formUnion(discarded[mapping])
    return keys
  }

  // MARK: Recorded associations

  /// Stores an association between a source and a destination object.
  func record(source: Object, destination: Object, mapping: Int) throws {
    if !recordedKeys[destination.entity, default: KeySet()].insert(destination.key) { hasShared = true }
    try openTable().insert(mapping: mapping, source: source, destination: destination)
  }

  /// Records that a policy associates a source object with a destination object that was created for another one.
  func noteShared() { hasShared = true }

  /// True if policies have made any associations.
  var hasRecorded: Bool { table != nil }

  /// Returns true if policies have made any associations through the mapping.
  func hasRecorded(mapping: Int) -> Bool { table.map { $0.count(ofMapping: mapping) > 0 } ?? false }

  func recordedDestinations(of source: Object, mapping: Int) throws -> [Object] {
    guard let table, table.count(ofMapping: mapping) > 0 else { return [] }
    return try table.destinations(mapping: mapping, source: source)
  }

  func recordedSources(of destination: Object, mapping: Int) throws -> [Object] {
    guard let table, table.count(ofMapping: mapping) > 0 else { return [] }
    return try table.sources(mapping: mapping, destination: destination)
  }

  /// Calls `body` once for each destination object, or source object, that policies have associated so far, in the
  /// order of association.
  func forEachRecorded(
    mapping: Int, ofSources: Bool = false, _ body: (_ source: Object, _ destination: Object) throws -> Void
  ) throws {
    try forEachAssociation(mapping: mapping, firstOfEach: ofSources ? .source : .destination) { try body($1, $2) }
  }

  /// Calls `body` with each association that policies have made so far, in order, or only with the first one of each
  /// object at an end.
  func forEachAssociation(
    mapping: Int, firstOfEach end: AssociationTable.End? = nil,
    _ body: (_ number: Int64, _ source: Object, _ destination: Object) throws -> Void
  ) throws {
    guard let table, table.count(ofMapping: mapping) > 0 else { return }
    let last = try table.lastNumber()
    var number: Int64 = 0
    while true {
      let some = try table.associations(
        mapping: mapping, after: number, upTo: last, atMost: 256, firstOfEach: end)
      guard let latest = some.last?.number else { return }
      for association in some { try body(association.number, association.source, association.destination) }
      number = latest
    }
  }

  /// Returns the keys of the source objects that policies associated through a mapping, by `Z_ENT`.
  func recordedSourceKeys(mapping: Int) throws -> [Int: KeySet] {
    var keys: [Int: KeySet] = [:]
    guard let table, table.count(ofMapping: mapping) > 0 else { return keys }
    try table.forEachSource(mapping: mapping) { keys[$0.entity, default: KeySet()].insert($0.key) }
    return keys
  }

  // MARK: All associations

  /// Deletes all associations of a destination object that is being deleted, and returns a function that restores them.
  ///
  /// - Parameter declaredKeys: Each mapping that may have created the object, with the key that the object's source has
  ///   in that case.
  func forget(_ destination: Object, declaredKeys: [(mapping: Int, key: Int64)]) throws -> () throws -> Void {
    for (mapping, key) in declaredKeys {
      declared[mapping].remove(key)
      discarded[mapping].remove(key)
    }
    let removed = try table?.remove(destination: destination) ?? []
    return { [self] in
      for (mapping, key) in declaredKeys { declared[mapping].insert(key) }
      try table?.restore(removed)
    }
  }

  func removeAll() throws {
    for mapping in declared.indices { discarded[mapping].formUnion(declared[mapping]) }
    declared = [KeySet](repeating: KeySet(), count: declared.count)
    recordedKeys = [:]
    hasShared = false
    try table?.removeAll()
  }

  func close() { table?.close() }

  private func openTable() throws -> AssociationTable {
    if let table { return table }
    let made = try AssociationTable(at: tableURL)
    table = made
    return made
  }
}
