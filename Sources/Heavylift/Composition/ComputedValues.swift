import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel

/// The attributes of the last of several versions that hops compute, each as an expression over the first version.
struct ComputedValues {
  private typealias Place = VersionLineages.Place

  private let lineages: VersionLineages
  private let versions: ClosedRange<Int>
  private var first: Int { versions.lowerBound }
  /// By entity and name.
  private(set) var values: [Int: [String: PropertyMappingDescription]] = [:]

  /// - Throws: `HopCut` if a later version changes an attribute that a hop computes, or a value cannot be computed from the
  ///   first version.
  init(_ lineages: VersionLineages, _ versions: ClosedRange<Int>) throws(HopCut) {
    (self.lineages, self.versions) = (lineages, versions)
    for version in versions.dropFirst() {
      // An entity that a version in between adds has no objects.
      for entity in lineages.entitiesWithComputed(in: version)
      where lineages.origin(ofEntity: entity, in: version, first) != nil {
        let computed = lineages.computed(entity, in: version)
        for (name, description) in computed.sorted(by: { $0.key < $1.key }) {
          guard let place = lineages.place(name, of: entity, in: version) else { continue }
          try follow(place, description)
        }
      }
    }
  }

  private mutating func follow(_ start: Place, _ description: PropertyMappingDescription) throws(HopCut) {
    var place = start
    while place.version < versions.upperBound {
      guard let next = lineages.successor(of: place) else {
        throw HopCut(reason: "\(lineages.shown(start)) is computed, and removed after '\(title(place.version))'")
      }
      guard lineages.attribute(next)?.rules == lineages.attribute(start)?.rules else {
        throw HopCut(
          reason:
            "\(lineages.shown(start)) is computed, and has another type or other rules in '\(title(next.version))'")
      }
      place = next
    }
    var value = PropertyMappingDescription.attribute(lineages.reference(place).name, try value(start))
    value.markup = description.markup
    values[place.entity, default: [:]][value.name] = value
  }

  private func title(_ version: Int) -> String { lineages.models[version].title }

  // MARK: Values

  /// The expression that a hop gives a property where it starts; `nil` if the property is new, or older.
  private func expression(_ origin: Place) -> MappingExpression? {
    guard origin.version > first,
      case .expression(let value)? = lineages.computed(origin.entity, in: origin.version)[
        lineages.reference(origin).name]?.source
    else { return nil }
    return value
  }

  private func value(_ origin: Place) throws(HopCut) -> MappingExpression {
    guard let expression = expression(origin),
      let source = lineages.predecessor(ofEntity: origin.entity, in: origin.version, from: origin.version - 1)
    else { return .source(key: lineages.reference(origin).name) }
    return try carried(expression, from: source, in: origin.version - 1, to: origin)
  }

  /// Returns an expression over an object of a version as one over the object of the first version that became it.
  private func carried(
    _ expression: MappingExpression, from entity: Int, in version: Int, to target: Place
  ) throws(HopCut) -> MappingExpression {
    var reads = SourceKeys()
    reads.collect(expression)
    let computing = "\(lineages.shown(target)) is computed in '\(title(target.version))'"
    if let part = reads.obstacle { throw HopCut(reason: "\(computing) with \(part)") }
    var values: [String: MappingExpression] = [:]
    for path in reads.paths {
      if version > first, path.count > 1 {
        throw HopCut(reason: "\(computing) from other objects: $source.\(path.joined(separator: "."))")
      }
      var owner: Int? = entity
      for key in path {
        guard let current = owner, let place = lineages.place(key, of: current, in: version) else { break }
        try requireKept(place, computing)
        if version > first { values[key] = try unchanged(place, computing) }
        owner = nil
        if case .relationship(let relationship) = lineages.reference(place) {
          owner = lineages.index(version).entity(named: relationship.destinationEntityName)
        }
      }
    }
    return version == first ? expression : expression.replacingSourceKeys { values[$0] ?? .source(key: $0) }
  }

  /// Throws if the hop copies a property that an expression reads, and a later hop loses it: that hop reports the loss,
  /// and a mapping that only reads the property does not.
  private func requireKept(_ place: Place, _ computing: String) throws(HopCut) {
    guard var next = lineages.successor(of: place) else { return }
    while next.version < versions.upperBound {
      guard let later = lineages.successor(of: next) else {
        throw HopCut(
          reason: "\(computing) from \(lineages.reference(place).name.quotedName), which is removed after "
            + "'\(title(next.version))'")
      }
      next = later
    }
  }

  /// The value of a property in the first version, if it has been copied from there without any change.
  private func unchanged(_ place: Place, _ computing: String) throws(HopCut) -> MappingExpression {
    let origin = lineages.origin(of: place, first)
    let name = lineages.reference(place).name.quotedName
    if let value = try computedText(place, origin) { return value }
    if origin.version > first {
      let value = MappingExpression(.constant(.value(lineages.attribute(origin)?.defaultValue ?? .null)))
      // Written as text, a default value may become a number of another type.
      guard expression(origin) == nil, rulesAreSame(from: origin, to: place), let text = try? value.text(),
        (try? MappingExpression(parsing: text)) == value
      else {
        throw HopCut(reason: "\(computing) from \(name), which gets its value in '\(title(origin.version))'")
      }
      return value
    }
    guard rulesAreSame(from: origin, to: place) else {
      throw HopCut(reason: "\(computing) from \(name), whose type or rules change after '\(title(first))'")
    }
    return .source(key: lineages.reference(origin).name)
  }

  /// The expression of a computed attribute, if reading it gives exactly the expression's value: a string that is stored as
  /// a string. A number may be rounded, or refused.
  private func computedText(_ place: Place, _ origin: Place) throws(HopCut) -> MappingExpression? {
    guard expression(origin) != nil, lineages.attribute(origin)?.type == .string, rulesAreSame(from: origin, to: place),
      let source = lineages.origin(ofEntity: place.entity, in: place.version, first)
    else { return nil }
    let value = try value(origin)
    var environment = CheckingEnvironment(
      indexedSource: lineages.index(first), destination: lineages.index(versions.upperBound))
    environment.variables["source"] = ExpressionType(
      .object(entity: lineages.models[first].entities[source].name, .source))
    return ExpressionChecker(environment).check(value).type.kind == .string ? value : nil
  }

  private func rulesAreSame(from origin: Place, to place: Place) -> Bool {
    guard let rules = lineages.attribute(place)?.rules else { return false }
    var next = place
    while next != origin {
      guard let older = lineages.predecessor(of: next), lineages.attribute(older)?.rules == rules else { return false }
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

  mutating func collect(_ predicate: MappingPredicate) {
    if case .custom = predicate.kind {
      obstacle = obstacle ?? "\(predicate)"
    } else {
      collect(Parts(predicate.forEachPart))
    }
  }

  private mutating func collectParts(_ expression: MappingExpression) { collect(Parts(expression.forEachPart)) }

  private mutating func collect(_ parts: Parts) {
    for part in parts.expressions { collect(part) }
    for part in parts.predicates { collect(part) }
  }

  private struct Parts {
    var expressions: [MappingExpression] = []
    var predicates: [MappingPredicate] = []

    init(_ forEach: ((MappingExpression) -> Void, (MappingPredicate) -> Void) -> Void) {
      var (expressions, predicates) = ([MappingExpression](), [MappingPredicate]())
      forEach({ expressions.append($0) }, { predicates.append($0) })
      (self.expressions, self.predicates) = (expressions, predicates)
    }
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
