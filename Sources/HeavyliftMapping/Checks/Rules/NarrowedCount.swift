import HeavyliftModel

/// A to-many relationship must not be rebuilt from one whose number of objects may violate the new bounds.
struct NarrowedCount: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.narrowed-count"
    var property: PropertyMappingFact
    var source: RelationshipDescription
    var least: Int?
    var most: Int?
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.properties.compactMap { property in
      // Other rules report to-one relationships that come from to-many ones, and mandatory ones that may be empty.
      guard let new = property.relationship, new.isToMany, !property.owner.isCustom,
        let entity = property.owner.source, case .rebuilt(let name, _) = property.complete.origin,
        case .relationship(let old)? = mapping.source.property(named: name, of: entity)?.property,
        property.owner.mapping.filter?.mentions(name) != true
      else { return nil }
      let most = new.maxCount > 1 && (old.maxCount < 1 || old.maxCount > new.maxCount) ? new.maxCount : nil
      let least = new.minCount > 1 && old.minCount < new.minCount ? new.minCount : nil
      guard least != nil || most != nil else { return nil }
      return Mistake(property: property, source: old, least: least, most: most, location: property.location(of: "name"))
    }
  }
}

extension NarrowedCount.Mistake {
  var severity: Diagnostic.Severity { .warning }

  var problem: String {
    let bounds = [least.map { "at least \($0) objects" }, most.map { "at most \($0) objects" }].compactMap(\.self)
    return "\(property.place) must have \(bounds.joined(separator: " and ")), "
      + "but source relationship \(source.name.quotedName) does not guarantee that"
  }

  func remedy(_ names: MappingNames) -> String? {
    let count = "\(source.name).@count"
    let terms = [least.map { "\(count) >= \($0)" }, most.map { "\(count) &lt;= \($0)" }].compactMap(\.self)
    let filter = "where=\"\(terms.joined(separator: " AND "))\""
    return "choose the objects in a policy, use '\(filter)' to exclude source objects that break this, "
      + "or change the bounds in the destination model"
  }
}
