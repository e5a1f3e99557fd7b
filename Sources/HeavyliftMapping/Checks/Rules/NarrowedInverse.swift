import HeavyliftModel

/// A target that several source objects share must not be limited to one owner in the new model.
///
/// Few stores have such targets. A store that has them is refused when its migration is planned or its links are
/// counted.
struct NarrowedInverse: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.narrowed-inverse"
    var property: PropertyMappingFact
    /// The new inverse; nil if there is none. In that case, a target of a to-many relationship has only one owner.
    var inverse: String?
    var source: String
    /// The inverse in the source model; nil if there is none.
    var sourceInverse: String?
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    // Relationships that `ManyIntoOne` already reports, at the to-one end.
    let told = Set(
      ManyIntoOne().mistakes(in: mapping).filter { $0.severity == .error }.compactMap { $0.property.relationship })
    return mapping.properties.compactMap { property in
      guard let new = property.relationship, !property.isLeftToPolicy, !property.complete.leavesSharedToLast,
        let entity = property.owner.source,
        let name = source(of: property),
        case .relationship(let old)? = mapping.source.property(named: name, of: entity)?.property,
        property.owner.mapping.filter?.mentions(name) != true
      else { return nil }
      let inverse = mapping.destination.model.inverse(of: new)
      let oldInverse = mapping.source.model.inverse(of: old)
      if let inverse {
        guard !inverse.isToMany, !told.contains(inverse), oldInverse?.isToMany == true else { return nil }
      } else {
        guard new.isToMany, !new.isTransient, oldInverse?.isToMany ?? !old.isToMany else { return nil }
      }
      return Mistake(
        property: property, inverse: inverse?.name, source: old.name, sourceInverse: oldInverse?.name,
        location: property.location(of: "from", "value", "name"))
    }
  }

  /// The source relationship whose objects the property gets.
  private func source(of property: PropertyMappingFact) -> String? {
    if case .rebuilt(let name, _) = property.complete.origin { return name }
    guard let request = property.complete.valueExpression?.counterpartsRequest, case .mapping = request.through else {
      return nil
    }
    return request.sourceKey
  }
}

extension NarrowedInverse.Mistake {
  var severity: Diagnostic.Severity { .warning }

  var problem: String {
    let start = "the migration fails if objects share a target through \(property.place): "
    guard let inverse else {
      let many =
        sourceInverse.map { "\($0.quotedName) is to-many in the source" }
        ?? "many source objects can refer to the same target through \(source.quotedName)"
      return start + "without an inverse, a target has only one owner, but \(many)"
    }
    return start + "its inverse \(inverse.quotedName) is to-one, but "
      + "was to-many (\((sourceInverse ?? source).quotedName)) in the source"
  }

  func remedy(_ names: MappingNames) -> String? {
    inverse == nil
      ? "give the relationship a to-many inverse in the model, choose the owner in a policy, or write 'shared=\"last\"' if "
        + "the last owner should keep the target"
      : "choose one owner in the mapping of the inverse and write 'copy=\"no\"' here, choose it in a policy, or write "
        + "'shared=\"last\"' if the last owner should keep the target"
  }
}
