import HeavyliftModel

/// Objects that show what a mapping does: every attribute at its default, at nil and at both ends of its range; every
/// relationship with no target, one and many.
///
/// ```swift
/// let graph = VariedGraph(music1).graph
/// ```
public struct VariedGraph {
  /// The roles of an entity's four objects.
  enum Part: String, CaseIterable {
    /// Only mandatory values are written.
    case plain
    /// Every optional value is nil.
    case empty
    case least
    case most
  }

  /// The objects.
  public private(set) var graph: ObjectGraph
  /// Notes about parts of the graph that the user must complete.
  public private(set) var notes: [String] = []
  private let model: ManagedObjectModel
  private let entities: [GraphEntity]

  /// Generates objects for every entity that can have any.
  public init(_ model: ManagedObjectModel) {
    self.model = model
    graph = ObjectGraph(modelName: model.name)
    entities = model.entities.filter { !$0.isAbstract }.sorted { $0.name < $1.name }.map { GraphEntity($0, in: model) }
    for (number, entity) in entities.enumerated() {
      for part in Part.allCases { graph.objects.append(object(part, of: entity, number: number)) }
    }
    var links = VariedLinks(model: model, entities: entities)
    links.connect(&graph)
    notes += links.notes
    completeLinks()
  }

  /// Links mandatory relationships that are still empty: if each object can be a target only once, four objects are not
  /// always enough, and some must be removed.
  private mutating func completeLinks() {
    var links = RandomLinks(graph.objects, entities, model)
    links.takeLinks()
    guard !links.isValid else { return }
    notes += links.complete().map { "object '\($0)' is skipped: no object is available as its mandatory target" }
    graph.objects = links.valid
  }

  static func name(_ part: Part, of entity: String) -> String {
    "\(part.rawValue) \(entity.prefix(1).lowercased())\(entity.dropFirst())"
  }

  private mutating func object(_ part: Part, of entity: GraphEntity, number: Int) -> ObjectGraph.Object {
    var object = ObjectGraph.Object(Self.name(part, of: entity.name), entityName: entity.name)
    let unique = Set(
      model.entity(named: entity.name).map { model.lineage(of: $0) }?.flatMap(\.uniquenessConstraints)
        .flatMap(\.propertyNames) ?? [])
    for attribute in entity.storedAttributes {
      let values = VariedValues(attribute, model: model, entityNumber: unique.contains(attribute.name) ? number : nil)
      if part == .plain, attribute.validation.regularExpression != nil, attribute.defaultValue.isNull {
        notes.append(
          "attribute '\(attribute.name)' of entity '\(entity.name)' has a pattern: write values that match it")
      }
      if let value = values.value(part) { object.attributes[attribute.name] = value }
    }
    return object
  }
}
