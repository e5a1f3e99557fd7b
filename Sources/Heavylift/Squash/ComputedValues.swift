import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel

/// The attributes of the last version of a lineage that hops compute, each as an expression over the first version.
struct ComputedValues {
  private(set) var lineage: HopLineage
  /// For each number of a property, the versions and entities that have it.
  private let places: [Int: [Place]]

  private struct Place: Hashable {
    var version: Int
    var entity: Int
    var name: String
  }

  /// - Throws: `SquashCut` if a later version changes an attribute that a hop computes.
  init(_ lineage: HopLineage) throws(SquashCut) {
    self.lineage = lineage
    var places: [Int: [Place]] = [:]
    for (version, index) in lineage.indexes.enumerated() {
      for entity in index.model.entities.indices {
        for property in index.properties(of: entity) {
          guard let number = lineage.number(property.name, of: entity, in: version) else { continue }
          places[number, default: []].append(Place(version: version, entity: entity, name: property.name))
        }
      }
    }
    self.places = places
    for (number, start) in lineage.computed.sorted(by: { $0.key < $1.key }) {
      let own = places[number, default: []]
      if let change = change(own) { throw SquashCut(reason: "\(shown(own[0])) is computed, and \(change)") }
      if let end = end(own.filter { $0.version >= start }) {
        throw SquashCut(reason: "\(shown(own[0])) is computed, and removed after '\(title(end.version))'")
      }
    }
    for (number, own) in places { addDefault(number, own) }
  }

  private func shown(_ place: Place) -> String { lineage.shown(place.name, place.entity, place.version) }
  private func title(_ version: Int) -> String { lineage.indexes[version].model.title }

  private func attribute(_ place: Place) -> AttributeDescription? {
    guard
      case .attribute(let attribute)? = lineage.indexes[place.version].property(named: place.name, of: place.entity)?
        .property
    else { return nil }
    return attribute
  }

  /// The change of a rule or a type among the places of an attribute, in words; `nil` if it always has the same ones.
  private func change(_ places: [Place]) -> String? {
    guard let first = places.first, let known = attribute(first)?.rules else { return nil }
    return places.first { attribute($0)?.rules != known }.map { place in
      "has another type or other rules in '\(title(place.version))'"
    }
  }

  /// The first place after which a property is removed, alone or with its entity.
  private func end(_ places: [Place]) -> Place? {
    places.first { $0.version < lineage.last && successor(of: $0) == nil }
  }

  private func successor(of place: Place) -> Place? {
    let step = lineage.steps[place.version]
    guard let entity = step.predecessors.firstIndex(of: place.entity),
      let name = step.properties[entity]?.first(where: { $0.value == place.name })?.key
    else { return nil }
    return Place(version: place.version + 1, entity: entity, name: name)
  }

  /// A new attribute keeps the default value of the version that adds it, whatever default it has later.
  private mutating func addDefault(_ number: Int, _ places: [Place]) {
    guard let first = places.first, first.version > 0, lineage.computed[number] == nil,
      let attribute = attribute(first), !attribute.isTransient, !attribute.isDerived, attribute.type != .composite,
      places.last.flatMap(self.attribute)?.defaultValue != attribute.defaultValue, change(places) == nil,
      end(places) == nil
    else { return }
    lineage.compute(number, in: first.version)
  }

  // MARK: Values

  /// The computed attributes of an entity of the last version, by name; `nil` for the default of the last version.
  func values(of entity: Int) throws(SquashCut) -> [String: MappingExpression] {
    var values: [String: MappingExpression] = [:]
    for property in lineage.indexes[lineage.last].properties(of: entity) {
      guard let number = lineage.number(property.name, of: entity, in: lineage.last), lineage.computed[number] != nil
      else { continue }
      values[property.name] = try value(Place(version: lineage.last, entity: entity, name: property.name))
    }
    return values
  }

  /// The version that computes an attribute of the last version, or adds it.
  func origin(of name: String, of entity: Int) -> Int {
    origin(Place(version: lineage.last, entity: entity, name: name)).version
  }

  private func origin(_ place: Place) -> Place {
    var place = place
    while let older = predecessor(of: place) { place = older }
    return place
  }

  private func predecessor(of place: Place) -> Place? {
    guard let entity = lineage.predecessor(of: place.entity, in: place.version),
      let name = lineage.predecessor(of: place.name, ofEntity: place.entity, in: place.version)
    else { return nil }
    return Place(version: place.version - 1, entity: entity, name: name)
  }

  private func value(_ place: Place) throws(SquashCut) -> MappingExpression {
    let origin = origin(place)
    guard origin.version > 0 else { return .source(key: origin.name) }
    let step = lineage.steps[origin.version - 1]
    guard step.computed[origin.entity]?.contains(origin.name) == true,
      let expression = step.mappings[origin.entity]?.propertyMapping(named: origin.name)?.valueExpression,
      let source = step.predecessors[origin.entity]
    else {
      let value = MappingExpression(.constant(.value(attribute(origin)?.defaultValue ?? .null)))
      guard (try? value.text()) != nil else {
        throw SquashCut(reason: "the default value of \(shown(origin)) in '\(title(origin.version))' cannot be written")
      }
      return value
    }
    return try carried(expression, from: source, in: origin.version - 1, to: origin)
  }

  /// Returns an expression over an object of a version as one over the object of the first version that became it.
  private func carried(
    _ expression: MappingExpression, from entity: Int, in version: Int, to target: Place
  ) throws(SquashCut) -> MappingExpression {
    var reads = SourceKeys()
    reads.collect(expression)
    let computing = "\(shown(target)) is computed in '\(title(target.version))'"
    if let part = reads.obstacle { throw SquashCut(reason: "\(computing) with \(part)") }
    var values: [String: MappingExpression] = [:]
    for path in reads.paths {
      if version > 0, path.count > 1 {
        throw SquashCut(reason: "\(computing) from other objects: $source.\(path.joined(separator: "."))")
      }
      var owner: Int? = entity
      for key in path {
        guard let current = owner, let property = lineage.indexes[version].property(named: key, of: current)?.property
        else { break }
        let place = Place(version: version, entity: current, name: key)
        try requireKept(place, computing)
        if version > 0 { values[key] = try unchanged(place, computing) }
        owner = nil
        if case .relationship(let relationship) = property {
          owner = lineage.indexes[version].entity(named: relationship.destinationEntityName)
        }
      }
    }
    return version == 0 ? expression : expression.replacingSourceKeys { values[$0] ?? .source(key: $0) }
  }

  /// Throws if the hop copies a property that an expression reads, and a later hop loses it: that hop reports the loss,
  /// and a mapping that only reads the property does not.
  private func requireKept(_ place: Place, _ computing: String) throws(SquashCut) {
    guard var next = successor(of: place) else { return }
    while next.version < lineage.last {
      guard let later = successor(of: next) else {
        throw SquashCut(
          reason: "\(computing) from \(place.name.quotedName), which is removed after '\(title(next.version))'")
      }
      next = later
    }
  }

  /// The value of a property in the first version, if it has been copied from there without any change.
  private func unchanged(_ place: Place, _ computing: String) throws(SquashCut) -> MappingExpression {
    let origin = origin(place)
    if let value = try computedText(place, origin) { return value }
    if origin.version > 0 {
      let isComputed = lineage.steps[origin.version - 1].computed[origin.entity]?.contains(origin.name) == true
      let value = MappingExpression(.constant(.value(attribute(origin)?.defaultValue ?? .null)))
      // Written as text, a default value may become a number of another type.
      guard !isComputed, rulesAreSame(from: origin, to: place), let text = try? value.text(),
        (try? MappingExpression(parsing: text)) == value
      else {
        throw SquashCut(
          reason: "\(computing) from \(place.name.quotedName), which gets its value in '\(title(origin.version))'")
      }
      return value
    }
    guard rulesAreSame(from: origin, to: place) else {
      throw SquashCut(
        reason: "\(computing) from \(place.name.quotedName), whose type or rules change after '\(title(0))'")
    }
    return .source(key: origin.name)
  }

  /// The expression of a computed attribute, if reading it gives exactly the expression's value: a string that is stored as
  /// a string. A number may be rounded, or refused.
  private func computedText(_ place: Place, _ origin: Place) throws(SquashCut) -> MappingExpression? {
    guard origin.version > 0, lineage.steps[origin.version - 1].computed[origin.entity]?.contains(origin.name) == true,
      attribute(origin)?.type == .string, rulesAreSame(from: origin, to: place),
      let source = first(ofEntity: place.entity, in: place.version)
    else { return nil }
    let value = try value(place)
    var environment = CheckingEnvironment(indexedSource: lineage.indexes[0], destination: lineage.indexes[lineage.last])
    environment.variables["source"] = ExpressionType(.object(entity: source, .source))
    return ExpressionChecker(environment).check(value).type.kind == .string ? value : nil
  }

  /// The name in the first version of the entity that becomes the given one; `nil` if a later version adds it.
  private func first(ofEntity entity: Int, in version: Int) -> String? {
    var (owner, current) = (entity, version)
    while current > 0 {
      guard let previous = lineage.predecessor(of: owner, in: current) else { return nil }
      (owner, current) = (previous, current - 1)
    }
    return lineage.indexes[0].model.entities[owner].name
  }

  private func rulesAreSame(from origin: Place, to place: Place) -> Bool {
    guard let rules = attribute(place)?.rules else { return false }
    var next = place
    while next != origin {
      guard let older = predecessor(of: next), attribute(older)?.rules == rules else { return false }
      next = older
    }
    return true
  }
}

extension AttributeDescription {
  /// Everything that decides which values the attribute accepts, and how it stores them.
  fileprivate var rules: AttributeDescription {
    var rules = self
    (rules.name, rules.renamingIdentifier, rules.defaultValue, rules.userInfo) = ("", nil, .null, [:])
    (rules.versionHashModifier, rules.isIndexed, rules.isIndexedBySpotlight) = (nil, false, false)
    return rules
  }
}

/// The properties of the source object that an expression reads.
private struct SourceKeys {
  /// Paths from the source object: `name`, or `artist.name`.
  var paths: [[String]] = []
  /// The first part that reads something else, in words.
  var obstacle: String?

  mutating func collect(_ expression: MappingExpression) {
    switch expression.kind {
    case .constant: return
    case .keyPath(let base, let path):
      guard case .variable("source") = base.kind else { return refuse(expression) }
      paths.append(path.keys.compactMap { if case .name(let name) = $0 { name } else { nil } })
    case .call(let receiver, let selector, let arguments):
      // A function of the program gets values only, because the source object itself is refused.
      let isManager = if case .variable("manager") = receiver.kind { true } else { false }
      guard !isManager || !ManagerSelector.all.contains(selector) else { return refuse(expression) }
      if !isManager { collect(receiver) }
      arguments.forEach { collect($0) }
    case .element, .aggregate, .function, .otherFunction, .cast, .ternary: collectParts(expression)
    case .object, .variable, .subquery, .fetch, .set, .assignment, .anyKey: refuse(expression)
    }
  }

  private mutating func collectParts(_ expression: MappingExpression) {
    var (expressions, predicates) = ([MappingExpression](), [MappingPredicate]())
    expression.forEachPart {
      expressions.append($0)
    } predicates: {
      predicates.append($0)
    }
    for part in expressions { collect(part) }
    for part in predicates { collect(part) }
  }

  mutating func collect(_ predicate: MappingPredicate) {
    if case .custom = predicate.kind {
      obstacle = obstacle ?? "\(predicate)"
      return
    }
    var (expressions, predicates) = ([MappingExpression](), [MappingPredicate]())
    predicate.forEachPart {
      expressions.append($0)
    } predicates: {
      predicates.append($0)
    }
    for part in expressions { collect(part) }
    for part in predicates { collect(part) }
  }

  private mutating func refuse(_ expression: MappingExpression) { obstacle = obstacle ?? "\(expression)" }
}

extension MappingExpression {
  /// Returns the expression with other expressions for `$source.key`.
  func replacingSourceKeys(_ value: (String) -> MappingExpression) -> MappingExpression {
    if let key = sourceKey { return value(key) }
    let replaced = kind.mapExpressions({ $0.replacingSourceKeys(value) }, predicates: { $0.replacingSourceKeys(value) })
    return MappingExpression(replaced, at: range, name: nameRange)
  }
}

extension MappingPredicate {
  fileprivate func replacingSourceKeys(_ value: (String) -> MappingExpression) -> MappingPredicate {
    let replaced = kind.mapExpressions({ $0.replacingSourceKeys(value) }, predicates: { $0.replacingSourceKeys(value) })
    return MappingPredicate(replaced, at: range)
  }
}
