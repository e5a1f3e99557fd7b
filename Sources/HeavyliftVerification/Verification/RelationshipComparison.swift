import Heavylift
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Compares the expected targets of a relationship with the stored ones, key by key.
///
/// It can only confirm a match: if keys alone are not enough, objects are compared.
final class RelationshipComparison {
  /// The rules for the counterparts of one entity's objects.
  private struct Route {
    let relations: [KeyRelation]
    /// The keys of the entity's objects, if the hierarchy has several entities.
    let sources: KeySet?
  }

  /// The targets of the source relationship; `nil` for the source object itself.
  private let sources: TargetReader?
  private let targets: TargetReader
  private var routes: [Route] = []
  /// The key of the source object itself; `nil` once it has been used.
  private var own: Int64?

  /// Returns `nil` if keys alone are not enough.
  ///
  /// - Parameters:
  ///   - key: The source relationship; `nil` for the source object itself.
  ///   - mappings: The entity mappings of the counterparts.
  init?(
    _ relationship: RelationshipDescription, of placed: PlacedMapping, from key: String?,
    through mappings: [PlacedMapping],
    _ relations: KeyRelations, source: PersistentStore, destination: PersistentStore, sourceKeys: StoredKeys
  ) throws {
    guard let sourceName = placed.complete.sourceEntityName, let number = placed.sourceNumber,
      let destinationName = placed.complete.destinationEntityName,
      let targets = try TargetReader(
        relationship.name, ofEntity: destinationName, in: destination, isSorted: !relationship.isOrdered)
    else { return nil }
    var known: [KeyRelation] = []
    for mapping in mappings {
      guard let relation = relations.byPlace[mapping.place],
        destination.rootNumber(ofEntity: relation.destinationNumber) == targets.destinationRoot
      else { return nil }
      known.append(relation)
    }
    self.targets = targets
    guard let key else {
      sources = nil
      routes = [Route(relations: known.filter { $0.sourceNumber == number }, sources: nil)]
      return
    }
    guard
      let sources = try TargetReader(
        key, ofEntity: sourceName, in: source, isSorted: !relationship.isOrdered)
    else { return nil }
    self.sources = sources
    guard sources.destinationHasSubentities else {
      routes = [Route(relations: known.filter { $0.sourceNumber == sources.destinationNumber }, sources: nil)]
      return
    }
    try sourceKeys.read(hierarchy: sources.destinationRoot)
    for number in source.entityNumbers(ofHierarchy: sources.destinationRoot) {
      routes.append(
        Route(relations: known.filter { $0.sourceNumber == number }, sources: sourceKeys.keys(ofEntity: number)))
    }
  }

  /// Returns true if keys show that the relationship has the expected targets. Call this method for the objects in
  /// key order.
  func isAsDeclared(source: Int64, row: CurrentRow?, destination: Int64, _ finder: RowFinder) throws -> Bool {
    try sources?.turn(to: source, row: row)
    own = sources == nil ? source : nil
    try targets.turn(to: destination, row: finder.row)
    while true {
      let expected = try nextExpected()
      guard expected != -1, try targets.next() == expected else { return false }
      if expected == nil { return true }
    }
  }

  /// The next expected target, or -1 if it is unknown; `nil` after the last.
  private func nextExpected() throws -> Int64? {
    while let key = try nextSource() {
      guard key != -1, let route = route(of: key) else { return -1 }
      var found: Int64?
      for relation in route.relations {
        guard let made = relation.destinationKey(ofSource: key) else { continue }
        // If one source has several counterparts, only the objects show their order.
        if found != nil { return -1 }
        found = made
      }
      if let found { return found }
    }
    return nil
  }

  private func nextSource() throws -> Int64? {
    if let sources { return try sources.next() }
    defer { own = nil }
    return own
  }

  private func route(of key: Int64) -> Route? {
    routes.first { $0.sources?.contains(key) ?? true }
  }
}
