import HeavyliftModel

/// Models that tests share.
enum Models {
  static func attribute(_ name: String, _ type: AttributeType, isOptional: Bool = true) -> AttributeDescription {
    AttributeDescription(name: name, type: type, isOptional: isOptional)
  }

  static func toOne(
    _ name: String, _ destination: String, _ inverse: String? = nil, isOptional: Bool = true,
    deleteRule: DeleteRule = .nullify
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: destination, inverseName: inverse,
      inverseEntityName: inverse.map { _ in destination }, isOptional: isOptional, maxCount: 1, deleteRule: deleteRule)
  }

  static func toMany(
    _ name: String, _ destination: String, _ inverse: String? = nil, isOptional: Bool = true, isOrdered: Bool = false,
    minCount: Int = 0, maxCount: Int = 0, deleteRule: DeleteRule = .nullify
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: destination, inverseName: inverse,
      inverseEntityName: inverse.map { _ in destination }, isOptional: isOptional, isOrdered: isOrdered,
      minCount: minCount, maxCount: maxCount, deleteRule: deleteRule)
  }

  /// Books, authors, and a hierarchy of media.
  static let library = ManagedObjectModel(
    name: "Library",
    entities: [
      EntityDescription(
        name: "Author", attributes: [attribute("name", .string)],
        relationships: [toMany("books", "Book", "author", deleteRule: .cascade)]),
      EntityDescription(
        name: "Book",
        attributes: [attribute("title", .string), attribute("pages", .integer32), attribute("price", .decimal)],
        relationships: [toOne("author", "Author", "books"), toMany("tags", "Tag", "books")]),
      EntityDescription(name: "Comic", superentityName: "Book", attributes: [attribute("colors", .integer16)]),
      EntityDescription(
        name: "Tag", attributes: [attribute("label", .string)], relationships: [toMany("books", "Book", "tags")]),
    ])

  /// Every kind of relationship, inside and outside a hierarchy.
  static let graph = ManagedObjectModel(
    name: "Graph",
    entities: [
      EntityDescription(
        name: "Node", attributes: [attribute("name", .string), attribute("rank", .integer64)],
        relationships: [
          toOne("partner", "Node", "partner"), toOne("left", "Node", "right"), toOne("right", "Node", "left"),
          toOne("parent", "Node", "children"), toMany("children", "Node", "parent"),
          toOne("list", "Node", "items"), toMany("items", "Node", "list", isOrdered: true),
          toMany("friends", "Node", "friends"), toMany("follows", "Node", "followers"),
          toMany("followers", "Node", "follows"), toMany("queue", "Node", "queues", isOrdered: true),
          toMany("queues", "Node", "queue", isOrdered: true), toMany("labels", "Label", "nodes"),
          toOne("link", "Node"), toMany("links", "Node"), toMany("path", "Node", isOrdered: true),
          toMany("ring", "Node", "ring", isOrdered: true),
        ]),
      EntityDescription(
        name: "Leaf", superentityName: "Node", attributes: [attribute("color", .string)],
        relationships: [toOne("label", "Label", "leaf"), toMany("owned", "Label", "owner", isOrdered: true)]),
      EntityDescription(
        name: "Label", attributes: [attribute("text", .string)],
        relationships: [
          toMany("nodes", "Node", "labels"), toOne("leaf", "Leaf", "label"), toOne("owner", "Leaf", "owned"),
        ]),
    ])
}
