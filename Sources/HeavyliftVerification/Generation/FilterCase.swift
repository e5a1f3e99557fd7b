import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel

/// Source objects that the filters of a mapping tell apart. A graph with at least one object for each case shows what
/// the filters do.
struct FilterCase {
  enum Kind {
    /// Objects that the filter of an entity mapping takes.
    case taken(String)
    /// Objects that no entity mapping takes.
    case left
    /// Objects that a filter reads through a relationship.
    case read
  }

  let kind: Kind
  /// The name of an entity whose objects may be meant; it is not abstract.
  let entityName: String
  /// The condition for the objects.
  let predicate: MappingPredicate
  /// The name for an object that is added for this case.
  let objectName: String

  /// True if an object for the case should have optional values and targets, which show what the mapping does.
  var isComplete: Bool { if case .taken = kind { true } else { false } }

  /// Returns the cases of all filters. Those of related objects come first.
  static func all(of pair: MigrationPair) -> [FilterCase] {
    all(of: pair.mappings.complete(from: pair.sourceModel, to: pair.destinationModel), in: pair.sourceModel)
  }

  /// Returns the cases of the filters of mapping models for objects of their source model.
  static func all(of mappings: [CompleteMappingModel], in model: ManagedObjectModel) -> [FilterCase] {
    let mappings = mappings.flatMap(\.entityMappings)
    var (cases, read): ([FilterCase], [FilterCase]) = ([], [])
    for entity in model.entities.sorted(by: { $0.name < $1.name }) where !entity.isAbstract {
      let own = mappings.filter { $0.takenEntities.contains(entity.name) }
      let filtered = own.compactMap { mapping in mapping.filter.map { (mapping, $0) } }
      guard !filtered.isEmpty else { continue }
      let noun = entity.name.prefix(1).lowercased() + entity.name.dropFirst()
      for (mapping, filter) in filtered {
        cases.append(
          FilterCase(
            kind: .taken(mapping.name), entityName: entity.name, predicate: filter,
            objectName: "\(mapping.name) \(noun)"))
        read += targets(of: filter, entity, model, "\(mapping.name)")
      }
      guard filtered.count == own.count else { continue }
      let none = filtered.map { MappingPredicate(.not($0.1)) }
      cases.append(
        FilterCase(
          kind: .left, entityName: entity.name, predicate: none.count == 1 ? none[0] : MappingPredicate(.and(none)),
          objectName: "filtered \(noun)"))
    }
    return read + cases
  }

  /// Returns the cases for the targets of relationships that a filter compares with constants: for
  /// `owner.country == 'NL'`, an owner with that country.
  private static func targets(
    of filter: MappingPredicate, _ entity: EntityDescription, _ model: ManagedObjectModel, _ name: String
  ) -> [FilterCase] {
    switch filter.kind {
    case .not(let part): return targets(of: part, entity, model, name)
    case .and(let parts), .or(let parts): return parts.flatMap { targets(of: $0, entity, model, name) }
    case .literal, .custom: return []
    case .comparison(let comparison):
      guard case .keyPath(let base, let path) = comparison.left.kind, case .object = base.kind, path.keys.count > 1,
        case .name(let key) = path.keys[0], case .name = path.keys[1],
        let relationship = model.allRelationships(of: entity).first(where: { $0.name == key }),
        let target = model.entity(named: relationship.destinationEntityName),
        let concrete = model.entities.sorted(by: { $0.name < $1.name }).first(where: {
          !$0.isAbstract && model.entity($0, isKindOf: target.name)
        })
      else { return [] }
      var rest = comparison
      rest.left = MappingExpression(.keyPath(base: base, ExpressionKeyPath(Array(path.keys.dropFirst()))))
      // Each element of a to-many relationship is a target of its own.
      if relationship.isToMany { rest.quantifier = nil }
      let predicate = MappingPredicate(.comparison(rest))
      let noun = concrete.name.prefix(1).lowercased() + concrete.name.dropFirst()
      return targets(of: predicate, concrete, model, name) + [
        FilterCase(
          kind: .read, entityName: concrete.name, predicate: predicate, objectName: "\(noun) read by \(name)")
      ]
    }
  }
}
