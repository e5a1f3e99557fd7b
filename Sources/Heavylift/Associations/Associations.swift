import Foundation
import HeavyliftSQLite
import HeavyliftStore

/// Which destination objects came of which source objects, through which entity mapping.
///
/// What a mapping declares is known by arithmetic: the key of the one follows from the key of the other, and a bit says
/// that it was made. Only what policies associate themselves is written down.
final class Associations {
  typealias Object = AssociationTable.Object

  private let tableURL: URL
  private var table: AssociationTable?
  /// The source keys whose objects were made as declared, by the number of the entity mapping.
  private var declared: [KeySet]
  /// The keys of the destination objects that policies associated, by `Z_ENT`.
  private var recordedKeys: [Int: KeySet] = [:]
  /// True once several source objects may have one destination object, because a policy associated them.
  private(set) var hasShared = false

  /// - Parameter mappings: How many entity mappings there are.
  init(tableURL: URL, mappings: Int) {
    self.tableURL = tableURL
    declared = [KeySet](repeating: KeySet(), count: mappings)
  }

  // MARK: What mappings declare

  /// Takes note that the object which a key stands for was made as declared; false if it was made before.
  func noteDeclared(_ key: Int64, mapping: Int) -> Bool { declared[mapping].insert(key) }

  /// Takes note of all objects at once that a mapping made as declared.
  func noteDeclared(_ keys: KeySet, mapping: Int) { declared[mapping] = keys }

  /// Whether the object which a source key stands for was made as declared.
  func isDeclared(_ key: Int64, mapping: Int) -> Bool { declared[mapping].contains(key) }

  /// The source keys of what was made as declared.
  func declaredKeys(mapping: Int) -> KeySet { declared[mapping] }

  // MARK: What policies told

  /// Writes down that one object came of another.
  func record(source: Object, destination: Object, mapping: Int) throws {
    if !recordedKeys[destination.entity, default: KeySet()].insert(destination.key) { hasShared = true }
    try openTable().insert(mapping: mapping, source: source, destination: destination)
  }

  /// Takes note that a policy associates a source object with an object that was made for another one.
  func noteShared() { hasShared = true }

  /// Whether policies associated anything through the mapping.
  func hasRecorded(mapping: Int) -> Bool { table.map { $0.count(ofMapping: mapping) > 0 } ?? false }

  func recordedDestinations(of source: Object, mapping: Int) throws -> [Object] {
    guard let table, table.count(ofMapping: mapping) > 0 else { return [] }
    return try table.destinations(mapping: mapping, source: source)
  }

  func recordedSources(of destination: Object, mapping: Int) throws -> [Object] {
    guard let table, table.count(ofMapping: mapping) > 0 else { return [] }
    return try table.sources(mapping: mapping, destination: destination)
  }

  /// Calls `body` with each object that policies associated so far, in the order in which they did.
  func forEachRecorded(
    mapping: Int, ofSources: Bool = false, _ body: (_ source: Object, _ destination: Object) throws -> Void
  ) throws {
    guard let table, table.count(ofMapping: mapping) > 0 else { return }
    let last = try table.lastNumber()
    var number: Int64 = 0
    while true {
      let some = try table.firstAssociations(
        mapping: mapping, after: number, upTo: last, atMost: 256, ofSources: ofSources)
      guard let end = some.last?.number else { return }
      for association in some { try body(association.source, association.destination) }
      number = end
    }
  }

  /// Calls `body` with each association that policies made so far, in the order in which they did.
  func forEachAssociation(
    mapping: Int, _ body: (_ number: Int64, _ source: Object, _ destination: Object) throws -> Void
  ) throws {
    guard let table, table.count(ofMapping: mapping) > 0 else { return }
    let last = try table.lastNumber()
    var number: Int64 = 0
    while true {
      let some = try table.associations(mapping: mapping, after: number, upTo: last, atMost: 256)
      guard let end = some.last?.number else { return }
      for association in some { try body(association.number, association.source, association.destination) }
      number = end
    }
  }

  /// The keys of the source objects that policies associated through a mapping, by `Z_ENT`.
  func recordedSourceKeys(mapping: Int) throws -> [Int: KeySet] {
    var keys: [Int: KeySet] = [:]
    guard let table, table.count(ofMapping: mapping) > 0 else { return keys }
    try table.forEachSource(mapping: mapping) { keys[$0.entity, default: KeySet()].insert($0.key) }
    return keys
  }

  // MARK: Both

  /// Forgets a destination object that is deleted.
  ///
  /// - Parameter declaredKeys: Of each mapping that may have made it, the source key that would stand for it.
  func forget(_ destination: Object, declaredKeys: [(mapping: Int, key: Int64)]) throws {
    for (mapping, key) in declaredKeys { declared[mapping].remove(key) }
    try table?.remove(destination: destination)
  }

  func removeAll() throws {
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
