import HeavyliftExpression
import HeavyliftModel

/// A graph whose objects expressions can read.
final class GraphRows {
  private let objects: [String: ObjectGraph.Object]
  private let links: GraphLinks
  private let entities: [String: GraphEntity]

  init(_ graph: ObjectGraph, model: ManagedObjectModel) {
    objects = Dictionary(graph.objects.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    links = GraphLinks(graph, model: model)
    entities = Dictionary(
      model.entities.map { ($0.name, GraphEntity($0, in: model)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the value of an attribute; `nil` if there is no such attribute.
  func value(of attribute: String, _ object: ObjectGraph.Object) -> Value? {
    guard let description = entities[object.entityName]?.attributes[attribute] else { return nil }
    return object.attributes[attribute] ?? description.defaultValue
  }

  func targets(of object: String, _ relationship: String) -> [String] { links.targets(of: object, relationship) }

  /// Returns true if the predicate holds for an object; false if it cannot be evaluated.
  ///
  /// - Parameters:
  ///   - attributes: Values that the object has instead of its own.
  ///   - targets: Targets that the object has instead of its own.
  func holds(
    _ predicate: CompiledPredicate, for object: ObjectGraph.Object, attributes: [String: Value] = [:],
    targets: [String: [String]] = [:]
  ) -> Bool {
    var context = EvaluationContext()
    context.object = .object(GraphRow(object, self, attributes, targets))
    return (try? predicate.evaluate(in: &context)) ?? false
  }

  /// An object of a graph, with the values that a store built from the graph would have.
  private final class GraphRow: ExpressionObject {
    private let object: ObjectGraph.Object
    private let rows: GraphRows
    private let attributes: [String: Value]
    private let targets: [String: [String]]

    init(
      _ object: ObjectGraph.Object, _ rows: GraphRows, _ attributes: [String: Value] = [:],
      _ targets: [String: [String]] = [:]
    ) {
      (self.object, self.rows, self.attributes, self.targets) = (object, rows, attributes, targets)
    }

    var identity: String? { object.name }

    func value(forKey key: String) throws -> ExpressionValue {
      guard let entity = rows.entities[object.entityName] else { return .null }
      if let attribute = entity.attributes[key] {
        return ExpressionValue(attributes[key] ?? object.attributes[key] ?? attribute.defaultValue)
      }
      guard let relationship = entity.relationships[key] else {
        throw EvaluationMistake.unknownKey(key, kind: "entity '\(entity.name)'", known: entity.propertyNames)
      }
      let found = (targets[key] ?? rows.targets(of: object.name, key)).compactMap { rows.objects[$0] }
        .map { ExpressionValue.object(GraphRow($0, rows)) }
      guard relationship.isToMany else { return found.first ?? .null }
      return relationship.isOrdered ? .orderedSet(DistinctValues(found)) : .set(DistinctValues(found))
    }
  }
}
