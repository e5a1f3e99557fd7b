import HeavyliftExpression
import HeavyliftModel

/// A mandatory property must not be copied from an optional one: a nil is copied, too, and replaces any default.
struct NilIntoMandatory: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.nil-into-mandatory"
    var property: PropertyMappingFact
    var source: String
    var isToMany: Bool
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.properties.compactMap { property in
      guard !property.owner.isCustom, !property.property.mayBeMissing, let entity = property.owner.source,
        let name = property.complete.origin.sourcePropertyName,
        let source = mapping.source.property(named: name, of: entity)?.property, source.mayBeMissing,
        !source.isTransient,
        !isKnownNotToBeNil(source, property.owner, in: mapping)
      else { return nil }
      let isToMany = property.relationship?.isToMany ?? false
      return Mistake(property: property, source: name, isToMany: isToMany, location: property.location(of: "name"))
    }
  }

  /// Returns true if a filter ensures that the value is not nil.
  private func isKnownNotToBeNil(
    _ source: PropertyReference, _ owner: EntityMappingFact, in mapping: MappingIndex
  ) -> Bool {
    guard let filter = owner.mapping.filter else { return false }
    if case .relationship(let relationship) = source, relationship.isToMany { return filter.mentions(source.name) }
    return !mapping.type(of: .source(key: source.name), in: owner).isNullable
  }
}

extension PropertyReference {
  /// True if objects can be saved without the property. The store computes derived values, so they may be missing in
  /// both models.
  var mayBeMissing: Bool {
    switch self {
    case .attribute(let attribute): attribute.isOptional || attribute.isTransient || attribute.isDerived
    case .relationship(let relationship): !relationship.requiresTarget || relationship.isTransient
    case .fetched: true
    }
  }
}

extension NilIntoMandatory.Mistake {
  var severity: Diagnostic.Severity { .warning }

  var problem: String {
    let source = "source \(property.property.kind) \(source.quotedName)"
    return isToMany
      ? "mandatory \(property.place) comes from \(source), which may be empty"
      : "mandatory \(property.place) comes from \(source), which may be nil"
  }

  func remedy(_ names: MappingNames) -> String? {
    let key = "$source.\(source)"
    let otherwise = "or make the relationship optional in the destination model"
    if isToMany { return "exclude such objects with 'where=\"\(source).@count > 0\"', \(otherwise)" }
    guard let attribute = property.attribute else {
      return "exclude such objects with 'where=\"\(source) != nil\"', \(otherwise)"
    }
    let fallback = fallbackText(attribute.defaultValue) ?? "…"
    let kept = attribute.defaultValue.isNull ? "" : "; the default does not help, because a copied nil replaces it"
    return "write value='TERNARY(\(key) != nil, \(key), \(fallback))', "
      + "or exclude such objects with 'where=\"\(source) != nil\"'\(kept)"
  }

  /// The default as written in an expression; nil if it is long or null.
  private func fallbackText(_ value: Value) -> String? {
    if value.isNull { return nil }
    let text = MappingExpression(.constant(.value(value))).description
    return text.count > 40 ? nil : text
  }
}

extension MappingPredicate {
  /// Returns true if any part of the filter reads that key of the object.
  func mentions(_ key: String) -> Bool {
    var found = false
    visit { expression in
      if case .keyPath(_, let path) = expression.kind, path.keys.first == .name(key) { found = true }
    }
    return found
  }
}
