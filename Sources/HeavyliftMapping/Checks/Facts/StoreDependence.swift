import HeavyliftModel

/// The severity of a mistake that only matters if a store has certain objects.
///
/// In a mapping file, such a mistake is an error, because the author can fix the file. Xcode's mapping models run as in
/// Core Data, which fails only when it reaches such an object, so they are refused only for a store that has such an
/// object.
struct StoreDependence {
  let severity: Diagnostic.Severity
  /// The condition or reason to append to the problem; empty for an error.
  let suffix: String
}

extension MappingIndex {
  /// Returns the severity of a mistake about a destination property.
  ///
  /// - Parameters:
  ///   - property: The property that would get no value or a wrong one.
  ///   - target: The source entity that the property's objects would come from, if any.
  func dependence(of property: PropertyMappingFact, onObjectsOf target: Int? = nil) -> StoreDependence {
    guard complete.mappingModel.unmentionedEntities == .dropped, let source = property.owner.source else {
      return StoreDependence(severity: .error, suffix: "")
    }
    if let relationship = property.relationship, let inverse = relationship.inverseName,
      facts.filled.isFilledFromInverse(relationship)
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
