import HeavyliftExpression
import HeavyliftModel

/// A to-one relationship must not come from a to-many one.
struct ManyIntoOne: StoreDependentRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.many-into-one"
    var property: PropertyMappingFact
    /// The expression that yields many objects.
    var objects: String
    var isOrdered: Bool
    var dependence: StoreDependence
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.properties.compactMap { property in
      guard let relationship = property.relationship, !relationship.isToMany else { return nil }
      return property.complete.origin == .written ? written(property, in: mapping) : generated(property, in: mapping)
    }
  }

  private func generated(_ property: PropertyMappingFact, in mapping: MappingIndex) -> Mistake? {
    guard !property.owner.isCustom, let entity = property.owner.source else { return nil }
    let name: String
    switch property.complete.origin {
    case .rebuilt(let from, _): name = from
    case .unmapped(.manyIntoOne(let from)): name = from
    default: return nil
    }
    guard case .relationship(let old)? = mapping.source.property(named: name, of: entity)?.property, old.isToMany
    else { return nil }
    let target = mapping.source.entity(named: old.destinationEntityName)
    return Mistake(
      property: property, objects: "$source.\(name)", isOrdered: old.isOrdered,
      dependence: dependence(of: property, name, of: entity, onObjectsOf: target, in: mapping),
      location: property.location(of: "name"))
  }

  /// A store loses nothing if no object has more targets than the new relationship keeps.
  private func dependence(
    of property: PropertyMappingFact, _ name: String, of entity: Int, onObjectsOf target: Int?, in mapping: MappingIndex
  ) -> StoreDependence {
    let dependence = mapping.dependence(of: property, onObjectsOf: target)
    guard dependence.severity == .error, mapping.complete.mappingModel.unmentionedEntities == .dropped,
      let most = mapping.environment.mostTargets
    else { return dependence }
    let kept = if case .rebuilt = property.complete.origin { 1 } else { 0 }
    let entities = mapping.source.entityAndSubentities(of: entity).map { mapping.source.model.entities[$0].name }
    guard entities.allSatisfy({ most[$0]?[name] ?? 0 <= kept }) else { return dependence }
    return StoreDependence(
      severity: .warning,
      suffix: "; no object of \((entities.first ?? "").quotedName) in the store has "
        + (kept == 0 ? "any" : "more than one"))
  }

  private func written(_ property: PropertyMappingFact, in mapping: MappingIndex) -> Mistake? {
    guard let request = property.complete.valueExpression?.counterpartsRequest, case .mapping = request.through,
      case .collection(let kind, _) = mapping.type(of: request.objects, in: property.owner).kind
    else { return nil }
    // Only a warning, because the written expression may still yield at most one object.
    return Mistake(
      property: property, objects: request.objects.description, isOrdered: kind != .set,
      dependence: StoreDependence(severity: .warning, suffix: ""), location: property.location(of: "from", "value"))
  }
}

extension ManyIntoOne.Mistake {
  var severity: Diagnostic.Severity { dependence.severity }
  var problem: String { "\(property.place) is to-one, but '\(objects)' yields many objects\(dependence.suffix)" }

  func remedy(_ names: MappingNames) -> String? {
    isOrdered
      ? "choose one, with 'from=\"\(objects)[FIRST]\"'"
      : "choose one in a policy" + (property.mustHaveValue ? "" : ", or write 'copy=\"no\"' to discard them")
  }
}
