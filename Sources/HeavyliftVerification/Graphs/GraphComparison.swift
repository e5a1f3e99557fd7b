import HeavyliftModel

/// Compares a graph with the expected one.
///
/// Objects match if they have the same name and entity. The remaining objects are paired by their contents, because
/// objects that a policy creates have no predictable names.
package struct GraphComparison {
  /// The matching objects, by the names of the expected ones.
  private var found: [String: ObjectGraph.Object] = [:]
  private var expectedNames: [String: String] = [:]
  private let entities: [String: GraphEntity]
  private let expectedLinks: GraphLinks
  private let foundLinks: GraphLinks
  /// The differences in the order of the expected objects, followed by unexpected objects.
  package private(set) var differences: [GraphDifference] = []

  /// Compares two graphs of one model.
  package init(expected: ObjectGraph, found: ObjectGraph, model: ManagedObjectModel) {
    entities = Dictionary(
      model.entities.map { ($0.name, GraphEntity($0, in: model)) }, uniquingKeysWith: { first, _ in first })
    expectedLinks = GraphLinks(expected, model: model)
    foundLinks = GraphLinks(found, model: model)
    pair(expected, found)
    for object in expected.objects {
      guard let partner = self.found[object.name] else {
        differences.append(
          GraphDifference(
            kind: .missing, entityName: object.entityName, object: object.name, location: object.location))
        continue
      }
      compare(object, partner)
    }
    for object in found.objects where expectedNames[object.name] == nil {
      differences.append(GraphDifference(kind: .unexpected, entityName: object.entityName, object: object.name))
    }
  }

  private mutating func pair(_ expected: ObjectGraph, _ found: ObjectGraph) {
    let byName = Dictionary(found.objects.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var left: [ObjectGraph.Object] = []
    for object in expected.objects {
      if let same = byName[object.name], same.entityName == object.entityName {
        join(object, same)
      } else {
        left.append(object)
      }
    }
    let candidates = found.objects.filter { expectedNames[$0.name] == nil }
    // Best fits first: otherwise an object might take the partner that another one matches completely.
    let fits = left.indices.flatMap { one in
      candidates.indices.compactMap { other -> (one: Int, other: Int, likeness: Int)? in
        guard left[one].entityName == candidates[other].entityName else { return nil }
        return (one, other, likeness(left[one], candidates[other]))
      }
    }
    var (pairedLeft, pairedRight): (Set<Int>, Set<Int>) = ([], [])
    for fit in fits.sorted(by: { ($1.likeness, $0.one, $0.other) < ($0.likeness, $1.one, $1.other) })
    where !pairedLeft.contains(fit.one) && !pairedRight.contains(fit.other) {
      pairedLeft.insert(fit.one)
      pairedRight.insert(fit.other)
      join(left[fit.one], candidates[fit.other])
    }
  }

  private mutating func join(_ expected: ObjectGraph.Object, _ object: ObjectGraph.Object) {
    found[expected.name] = object
    expectedNames[object.name] = expected.name
  }

  /// Returns the number of equal attributes.
  private func likeness(_ expected: ObjectGraph.Object, _ object: ObjectGraph.Object) -> Int {
    (entities[expected.entityName]?.storedAttributes ?? []).count { attribute in
      value(attribute, of: expected).isIdentical(to: value(attribute, of: object))
    }
  }

  private func value(_ attribute: AttributeDescription, of object: ObjectGraph.Object) -> Value {
    object.attributes[attribute.name] ?? attribute.defaultValue
  }

  private mutating func compare(_ expected: ObjectGraph.Object, _ object: ObjectGraph.Object) {
    guard let entity = entities[expected.entityName] else { return }
    func difference(_ kind: GraphDifference.Kind, _ name: String) -> GraphDifference {
      GraphDifference(
        kind: kind, entityName: expected.entityName, object: expected.name,
        location: expected.propertyLocations[name] ?? expected.location)
    }
    for attribute in entity.storedAttributes where !expected.openProperties.contains(attribute.name) {
      let (wanted, value) = (value(attribute, of: expected), value(attribute, of: object))
      guard !wanted.isIdentical(to: value) else { continue }
      differences.append(difference(.value(attribute.name, expected: wanted, found: value), attribute.name))
    }
    for relationship in entity.sortedRelationships
    where !relationship.isTransient && !expected.openProperties.contains(relationship.name) {
      var wanted = expectedLinks.targets(of: expected.name, relationship.name)
      var targets = foundLinks.targets(of: object.name, relationship.name).map { expectedNames[$0] ?? $0 }
      if !relationship.isOrdered {
        wanted.sort()
        targets.sort()
      }
      guard wanted != targets else { continue }
      differences.append(difference(.targets(relationship.name, expected: wanted, found: targets), relationship.name))
    }
  }
}
