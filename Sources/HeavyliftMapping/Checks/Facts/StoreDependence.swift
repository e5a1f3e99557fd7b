import HeavyliftModel

/// How much a mistake matters that shows only if a store has certain objects.
///
/// A mapping file is refused for it: its author can correct it. Xcode's mapping models are run by Core Data, which finds such a
/// mistake when it comes to an object; they are refused only for a store that has one.
struct StoreDependence {
  let severity: Diagnostic.Severity
  /// The condition or the reason, to be added to the problem; empty for an error.
  let suffix: String
}

extension MappingIndex {
  /// Judges a mistake about a destination property.
  ///
  /// - Parameters:
  ///   - property: the property that would get no value, or a wrong one.
  ///   - target: the source entity that the property's objects would come from, if there is one.
  func dependence(of property: PropertyMappingFact, onObjectsOf target: Int? = nil) -> StoreDependence {
    guard complete.mappingModel.unmentionedEntities == .dropped, let source = property.owner.source else {
      return StoreDependence(severity: .error, suffix: "")
    }
    if let relationship = property.relationship, let inverse = relationship.inverseName,
      FilledRelationships(self).isFilledFromInverse(relationship)
    {
      return StoreDependence(severity: .warning, suffix: "; its inverse \(inverse.quotedName) fills it")
    }
    let name = self.source.model.entities[source].name
    guard let counts = environment.objectCounts else {
      return StoreDependence(
        severity: .warning, suffix: "; this is an error for a store that has objects of \(name.quotedName)")
    }
    if counts[name] ?? 0 == 0 {
      return StoreDependence(severity: .warning, suffix: "; the store has no objects of \(name.quotedName)")
    }
    guard let target else { return StoreDependence(severity: .error, suffix: "") }
    let targets = self.source.entityAndSubentities(of: target).map { self.source.model.entities[$0].name }
    if targets.allSatisfy({ counts[$0] ?? 0 == 0 }) {
      return StoreDependence(
        severity: .warning, suffix: "; the store has no objects of \((targets.first ?? "").quotedName)")
    }
    return StoreDependence(severity: .error, suffix: "")
  }
}
