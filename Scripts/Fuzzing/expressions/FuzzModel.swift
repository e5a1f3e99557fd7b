import Foundation
import HeavyliftExpression
import HeavyliftModel

/// A model with every type of attribute, inheritance, relationships of each kind, and the flaws of a damaged model.
enum FuzzModel {
  static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Book",
        attributes: AttributeType.allCases.map { type in
          AttributeDescription(
            name: type == .string ? "title" : "a\(type.rawValue)", type: type, isOptional: type.rawValue % 200 != 0,
            compositeName: type == .composite ? "Point" : nil)
        } + [
          AttributeDescription(
            name: "code", type: .string,
            validation: AttributeValidation(minimumLength: 2, maximumLength: 3, regularExpression: "[a-z(]+")),
          AttributeDescription(
            name: "pages", type: .integer32, validation: AttributeValidation(minimum: .integer(1), maximum: .null)),
          AttributeDescription(name: "mood", type: .string, isTransient: true),
          AttributeDescription(name: "key", type: .string, derivationExpression: "canonical:(title)"),
          AttributeDescription(name: "size", type: .integer64),
          AttributeDescription(name: "lost", type: .composite, compositeName: "Nothing"),
        ],
        relationships: [
          RelationshipDescription(name: "author", destinationEntityName: "Person", maxCount: 1),
          RelationshipDescription(name: "readers", destinationEntityName: "Person"),
          RelationshipDescription(name: "parts", destinationEntityName: "Book", isOrdered: true),
          RelationshipDescription(name: "nowhere", destinationEntityName: nil),
          RelationshipDescription(name: "dangling", destinationEntityName: "Ghost", maxCount: 1),
        ],
        fetchedProperties: [
          FetchedPropertyDescription(
            name: "alike", fetchRequest: FetchRequestDescription(name: "alike", entityName: "Book"))
        ]),
      EntityDescription(
        name: "Novel", superentityName: "Book", attributes: [AttributeDescription(name: "plot", type: .string)]),
      EntityDescription(
        name: "Person", isAbstract: true, attributes: [AttributeDescription(name: "name", type: .string)],
        relationships: [
          RelationshipDescription(name: "books", destinationEntityName: "Book"),
          RelationshipDescription(name: "father", destinationEntityName: "Person", maxCount: 1),
        ]),
      EntityDescription(name: "Loop", superentityName: "Pool"),
      EntityDescription(name: "Pool", superentityName: "Loop"),
      EntityDescription(name: "Orphan", superentityName: "Ghost"),
    ],
    composites: [
      CompositeDescription(
        name: "Point",
        elements: [
          AttributeDescription(name: "x", type: .double),
          AttributeDescription(name: "inner", type: .composite, compositeName: "Point"),
        ])
    ])

  private static let filters = [
    nil, "title != nil", "author.name == 'x' AND a100 > 1", "NOT (a500 == nil OR readers.@count == 0)",
  ].map { text in text.flatMap { try? MappingPredicate(parsing: $0) } }

  private static let wanted: [CheckingEnvironment.Wanted?] =
    [nil] + (model.entity(named: "Book")?.attributes ?? []).map { .attribute($0) }
    + (model.entity(named: "Book")?.relationships ?? []).map { .relationship($0) }

  private static let bare = CheckingEnvironment(source: model, destination: model)

  /// The environment that two bytes select: known names, expected type, and objects.
  static func environment(_ first: UInt8, _ second: UInt8) -> CheckingEnvironment {
    var environment = bare
    let places: [ExpressionPlace] = [.attribute, .sourceFilter, .relationship, .fetch, .sourceExpression]
    let entities = ["Book", "Novel", "Person", nil, "Loop", "Orphan", "Ghost"]
    environment.enter(
      places[Int(first) % places.count], source: entities[Int(second / 8) % entities.count],
      destination: entities[Int(second / 64) % entities.count])
    environment.wanted = wanted[Int(first / 5) % wanted.count]
    environment.sourceFilter = filters[Int(second) % filters.count]
    if second & 4 == 0 {
      environment.policyFunctions = [
        "titleOf:": .unknown, "titleOf:in:": FunctionSignature((String.self, Int.self), String?.self), "make": .unknown,
      ]
      environment.managerFunctions = ["dateFrom:": FunctionSignature((Double.self), Date.self)]
      environment.entityMappings = [
        "BookToBook": .init(source: "Book", destination: "Book"), "New": .init(source: nil, destination: "Person"),
      ]
    } else {
      environment.managerFunctions = nil
    }
    return environment
  }
}

/// A store of the model, as far as translation needs it.
struct FuzzSchema: SQLSchema {
  func entity(named name: String) -> SQLEntity? {
    FuzzModel.model.entity(named: name).map { _ in SQLEntity(table: "Z\(name)") }
  }

  func property(_ name: String, of entity: String) -> SQLProperty? {
    guard let found = FuzzModel.model.entity(named: entity) else { return nil }
    if let attribute = found.attribute(named: name) {
      return SQLKind(attribute.type).map { .column("Z\(name)", $0) } ?? .unavailable("it has no column")
    }
    guard let link = found.relationship(named: name), let target = link.destinationEntityName else { return nil }
    if !link.isToMany { return .toOne(column: "Z\(name)", destination: target) }
    return .toMany(
      SQLToMany(
        table: link.isOrdered ? "Z_1\(name)" : "Z\(target)", ownerColumn: "ZOWNER", targetColumn: "ZTARGET",
        destination: target, isJoinTable: link.isOrdered))
  }
}
