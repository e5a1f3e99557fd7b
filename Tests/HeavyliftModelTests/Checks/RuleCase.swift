import HeavyliftModel
import Testing

/// A model, and every diagnostic of its check.
struct RuleCase: Sendable, CustomTestStringConvertible {
  let name: String
  let model: ManagedObjectModel
  let expected: [String]

  init(_ name: String, _ model: ManagedObjectModel, says expected: String...) {
    self.name = name
    self.model = model
    self.expected = expected
  }

  init(_ name: String, _ entities: EntityDescription..., says expected: String...) {
    self.init(name, ManagedObjectModel(entities: entities), expected)
  }

  private init(_ name: String, _ model: ManagedObjectModel, _ expected: [String]) {
    self.name = name
    self.model = model
    self.expected = expected
  }

  var testDescription: String { name }

  /// Compares every diagnostic, word for word.
  func check() {
    let found = model.check().map(\.description)
    #expect(found == expected, "\(name):\n\(found.joined(separator: "\n"))")
  }
}

extension Markup {
  /// Markup of an element at the start of a line, with attributes in columns 10, 20, 30 …
  static func line(_ line: Int, _ attributes: (String, String)...) -> Markup {
    Markup(
      attributes: attributes.enumerated().map { place, attribute in
        Attribute(
          name: attribute.0, value: attribute.1,
          location: DiagnosticLocation(file: "contents", line: line, column: 10 * (place + 1)))
      }, location: DiagnosticLocation(file: "contents", line: line, column: 5))
  }
}

extension RelationshipDescription {
  static func toOne(
    _ name: String, _ destination: String?, inverse: String?, isOptional: Bool = true, isOrdered: Bool = false,
    deleteRule: DeleteRule = .nullify, markup: Markup = Markup()
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: destination, inverseName: inverse, inverseEntityName: destination,
      isOptional: isOptional, isOrdered: isOrdered, maxCount: 1, deleteRule: deleteRule, markup: markup)
  }

  static func toMany(
    _ name: String, _ destination: String?, inverse: String?, isOrdered: Bool = false,
    deleteRule: DeleteRule = .nullify, markup: Markup = Markup()
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: destination, inverseName: inverse, inverseEntityName: destination,
      isOrdered: isOrdered, deleteRule: deleteRule, markup: markup)
  }
}

extension EntityDescription {
  /// An entity with a few attributes and relationships.
  static func of(
    _ name: String, _ attributes: AttributeDescription..., relationships: [RelationshipDescription] = [],
    parent: String? = nil
  ) -> EntityDescription {
    EntityDescription(
      name: name, superentityName: parent, attributes: attributes, relationships: relationships)
  }
}
