import HeavyliftModel

/// Links of a relationship to rows that are missing from the store.
///
/// ```swift
/// for links in try store.danglingLinks() { print(links.entity, links.relationship, links.count) }
/// ```
public struct DanglingLinks: Hashable, Sendable {
  /// The entity that declares the relationship.
  public var entity: String
  /// The relationship; for a one-to-many, its to-one end.
  public var relationship: String
  /// The number of links.
  public var count: Int

  /// Creates an entry.
  public init(entity: String, relationship: String, count: Int) {
    (self.entity, self.relationship, self.count) = (entity, relationship, count)
  }
}

extension PersistentStore {
  /// Returns the relationships with dangling links, sorted by entity and relationship.
  ///
  /// Core Data leaves such links behind when it deletes the target of a relationship without an inverse, and reads them
  /// as nil.
  public func danglingLinks() throws -> [DanglingLinks] {
    var found: [DanglingLinks] = []
    for entity in model.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        guard isCounted(relationship, of: entity) else { continue }
        let count = try danglingLinkCount(ofEntity: entity.name, relationship: relationship.name)
        if count > 0 {
          found.append(DanglingLinks(entity: entity.name, relationship: relationship.name, count: count))
        }
      }
    }
    return found.sorted { ($0.entity, $0.relationship) < ($1.entity, $1.relationship) }
  }

  /// Returns false if the links are counted at the other end: the to-one end or, in a many-to-many, the first end by
  /// name.
  private func isCounted(_ relationship: RelationshipDescription, of entity: EntityDescription) -> Bool {
    let end = RelationshipEnd(entity: entity.name, name: relationship.name)
    // Each end of a one-to-one relationship has links of its own.
    return !relationship.isToMany || model.canonicalEnd(of: end) == end
  }
}

extension [DanglingLinks] {
  /// Returns one diagnostic about all links in the list; `nil` if the list is empty.
  public func diagnostic(_ severity: Diagnostic.Severity) -> Diagnostic? {
    guard !isEmpty else { return nil }
    let total = reduce(0) { $0 + $1.count }
    let list = map { "\($0.count) in '\($0.entity).\($0.relationship)'" }
    return Diagnostic(
      severity, code: "store.dangling-links",
      problem: (total == 1 ? "1 link leads to an object that is" : "\(total.grouped) links lead to objects that are")
        + " not in the store: "
        + list.joined(separator: ", "),
      remedy: "Core Data reads such a link as nil, and a migration does not carry it over")
  }
}
