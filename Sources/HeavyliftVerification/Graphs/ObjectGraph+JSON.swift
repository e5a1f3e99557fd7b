public import HeavyliftModel
import HeavyliftReports

extension ObjectGraph {
  /// Returns the graph as the text of a file, with entities sorted by name and one object per line if it fits.
  ///
  /// Omits values that are the model's defaults, and the side of each relationship that follows from the other.
  public func json(model: ManagedObjectModel) -> String {
    var lines = ["{"]
    if let modelName { lines.append("  \"model\": \(JSONText.quoted(modelName)),") }
    var entities: [String] = []
    for entity in model.entities.sorted(by: { $0.name < $1.name }) {
      let own = objects.filter { $0.entityName == entity.name }
      guard !own.isEmpty else { continue }
      let shape = GraphEntity(entity, in: model)
      let written = own.map { "      \(JSONText.quoted($0.name)): \(Self.text(of: $0, shape, model))" }
      entities.append("    \(JSONText.quoted(entity.name)): {\n\(written.joined(separator: ",\n"))\n    }")
    }
    lines.append(entities.isEmpty ? "  \"objects\": {}" : "  \"objects\": {\n\(entities.joined(separator: ",\n"))\n  }")
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private static let widestLine = 100

  private static func text(of object: Object, _ entity: GraphEntity, _ model: ManagedObjectModel) -> String {
    var members: [String] = []
    func append(_ name: String, _ text: String) { members.append("\(JSONText.quoted(name)): \(text)") }
    if let remark = object.remark { append("//", JSONText.quoted(remark)) }
    for attribute in entity.storedAttributes {
      if object.openProperties.contains(attribute.name) {
        append(attribute.name, #"{"any": true}"#)
      } else if let value = object.attributes[attribute.name], !value.isIdentical(to: attribute.defaultValue) {
        append(attribute.name, JSONText.value(value))
      }
    }
    for relationship in entity.sortedRelationships where !relationship.isTransient {
      if object.openProperties.contains(relationship.name) {
        append(relationship.name, #"{"any": true}"#)
      } else if let names = object.relationships[relationship.name], !names.isEmpty,
        !follows(relationship, of: entity, model)
      {
        let quoted = names.map(JSONText.quoted)
        append(relationship.name, relationship.isToMany ? "[\(quoted.joined(separator: ", "))]" : quoted[0])
      }
    }
    if members.isEmpty { return "{}" }
    let line = "{ \(members.joined(separator: ", ")) }"
    if line.count + object.name.count + 10 <= widestLine { return line }
    return "{\n        \(members.joined(separator: ",\n        "))\n      }"
  }

  /// Returns true if the inverse is written instead: one side is enough, and the choice must not depend on objects.
  private static func follows(
    _ relationship: RelationshipDescription, of entity: GraphEntity, _ model: ManagedObjectModel
  ) -> Bool {
    guard let inverseName = relationship.inverseName, !relationship.isOrdered,
      let target = model.entity(named: relationship.destinationEntityName),
      let inverse = GraphEntity(target, in: model).relationships[inverseName]
    else { return false }
    if inverse.isOrdered { return true }
    if relationship.isToMany != inverse.isToMany { return relationship.isToMany }
    // If both sides are of the same kind, the first by name is written, no matter which entity inherits them.
    let own = (relationship.name, inverse.destinationEntityName ?? "")
    let other = (inverse.name, relationship.destinationEntityName ?? "")
    return own > other
  }
}
