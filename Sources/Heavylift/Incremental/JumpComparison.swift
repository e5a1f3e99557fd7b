import HeavyliftExpression
import HeavyliftModel

/// Compares an inferred jump across versions with the same migration done version by version.
///
/// Both match entities and properties by name and renaming identifier. Their results differ if an intermediate version
/// gave something a default value, renamed it, or removed something that a later version added again.
struct JumpComparison {
  /// All versions from the source to the destination.
  private let models: [ManagedObjectModel]
  private let indexes: [ModelIndex]

  init(_ models: [ManagedObjectModel]) {
    self.models = models
    indexes = models.map(ModelIndex.init)
  }

  /// The differences in words, one line each, in the order of the destination's entities and properties.
  var differences: [String] {
    guard let last = models.indices.last, last > 0 else { return [] }
    return models[last].entities.indices.flatMap { differences(ofEntity: $0, last) }
  }

  private func name(_ place: Int) -> String { (models[place].name ?? "version \(place + 1)").quotedName }

  // MARK: Entities

  private func predecessor(ofEntity entity: Int, in place: Int, from earlier: Int) -> Int? {
    func things(_ model: ManagedObjectModel) -> [RenamingMatch.Thing] {
      model.entities.map { RenamingMatch.Thing(name: $0.name, identifier: $0.renamingIdentifier) }
    }
    return RenamingMatch(old: things(models[earlier]), new: things(models[place])).pairs.first { $0.new == entity }?.old
  }

  /// Returns, for each version, the entity that becomes the given one when migrated version by version; `nil` for
  /// versions before the one that added it.
  private func lineage(ofEntity entity: Int, _ last: Int) -> [Int?] {
    var line = [Int?](repeating: nil, count: last + 1)
    line[last] = entity
    for place in (0..<last).reversed() {
      guard let next = line[place + 1] else { break }
      line[place] = predecessor(ofEntity: next, in: place + 1, from: place)
    }
    return line
  }

  private func differences(ofEntity entity: Int, _ last: Int) -> [String] {
    // An abstract entity has no objects, but declares properties that others inherit.
    if models[last].entities[entity].isAbstract { return propertyDifferences(ofEntity: entity, last) }
    let line = lineage(ofEntity: entity, last)
    let direct = predecessor(ofEntity: entity, in: last, from: 0)
    let shown = models[last].entities[entity].name.quotedName
    switch (line[0], direct) {
    case (let old?, let other) where old != other:
      return [
        "without the jump, objects of entity \(models[0].entities[old].name.quotedName) become objects of \(shown); "
          + "the jump cannot match these entities by name or renaming identifier"
      ]
    case (nil, let old?):
      return [
        "entity \(models[0].entities[old].name.quotedName) is removed and then added again in "
          + "\(name(line.firstIndex { $0 != nil } ?? last)); the jump keeps its old objects"
      ]
    case (nil, nil): return []
    default: return propertyDifferences(ofEntity: entity, last)
    }
  }

  // MARK: Properties

  /// Returns the differences of an entity's own properties, and of inherited properties that do not also differ in the
  /// entity that declares them.
  private func propertyDifferences(ofEntity entity: Int, _ last: Int) -> [String] {
    let entities = lineage(ofEntity: entity, last).compactMap(\.self)
    guard entities.count == models.count else { return [] }
    let properties = indexes[last].properties(of: entity)
    return properties.indices.compactMap { place in
      guard let difference = difference(ofProperty: place, entities, last) else { return nil }
      return isDeclaredDifference(properties[place].name, of: entity, last) ? nil : difference
    }
  }

  /// True if an inherited property also differs in the entity that declares it.
  private func isDeclaredDifference(_ name: String, of entity: Int, _ last: Int) -> Bool {
    guard let owner = indexes[last].property(named: name, of: entity)?.declaredBy, owner != entity else { return false }
    let entities = lineage(ofEntity: owner, last).compactMap(\.self)
    guard entities.count == models.count,
      let place = indexes[last].properties(of: owner).firstIndex(where: { $0.name == name })
    else { return false }
    return difference(ofProperty: place, entities, last) != nil
  }

  private func predecessor(of property: Int, ofEntity entity: Int, in place: Int, from old: Int, in earlier: Int)
    -> Int?
  {
    let match = RenamingMatch(
      old: indexes[earlier].properties(of: old), new: indexes[place].properties(of: entity))
    return match.pairs.first { $0.new == property }?.old
  }

  /// - Parameter entities: The entity's index in each version.
  private func difference(ofProperty property: Int, _ entities: [Int], _ last: Int) -> String? {
    let destination = indexes[last].properties(of: entities[last])[property]
    var line = [Int?](repeating: nil, count: last + 1)
    line[last] = property
    for place in (0..<last).reversed() {
      guard let next = line[place + 1] else { break }
      line[place] = predecessor(
        of: next, ofEntity: entities[place + 1], in: place + 1, from: entities[place], in: place)
    }
    let direct = predecessor(of: property, ofEntity: entities[last], in: last, from: entities[0], in: 0)
    let olds = indexes[0].properties(of: entities[0])
    let shown = destination.shown(in: models[last].entities[entities[last]].name)
    let added = line.firstIndex { $0 != nil } ?? last
    switch (line[0], direct) {
    case (let old?, let other) where old != other:
      return "\(shown) gets the contents of \(olds[old].name.quotedName) without the jump, but not with it"
    case (nil, let old?):
      return
        "\(olds[old].name.quotedName) is removed, and \(shown) is added in \(name(added)); the jump keeps "
        + "the old values"
    default: break
    }
    let values = line.indices.map { place -> AttributeDescription? in
      guard let property = line[place],
        case .attribute(let attribute) = indexes[place].properties(of: entities[place])[property]
      else { return nil }
      return attribute
    }
    guard let target = values[last], !target.isTransient, !target.isDerived else { return nil }
    let hopped = Self.fallback(values)
    let jumped = Self.fallback([values[0], target])
    guard hopped.value != jumped.value else { return nil }
    let place = hopped.place.map { " of \(name($0))" } ?? ""
    return "\(shown) \(Self.words(jumped.value)) \(line[0] == nil ? "in all old objects" : "where it was nil")"
      + "; without the jump, it \(Self.words(hopped.value))\(hopped.value.isNull ? "" : ", the default\(place)")"
  }

  /// Returns the value that an object ends up with if it starts without one, and the version whose default that value
  /// is.
  private static func fallback(_ values: [AttributeDescription?]) -> (value: Value, place: Int?) {
    var (value, source) = (Value.null, Int?.none)
    for place in values.indices.dropFirst() {
      guard let attribute = values[place], value.isNull else { continue }
      // A new attribute starts with its default; an existing one gets it only when it becomes mandatory.
      guard let before = values[place - 1] else {
        (value, source) = (attribute.defaultValue, place)
        continue
      }
      if before.isOptional, !attribute.isOptional { (value, source) = (attribute.defaultValue, place) }
    }
    return (value, value.isNull ? nil : source)
  }

  private static func words(_ value: Value) -> String {
    value.isNull ? "remains nil" : "gets \(MappingExpression(.constant(.value(value))))"
  }
}

extension PropertyReference {
  fileprivate func shown(in entity: String) -> String {
    let kind =
      switch self {
      case .attribute: "attribute"
      case .relationship: "relationship"
      case .fetched: "fetched property"
      }
    return "\(kind) \(name.quotedName) of entity \(entity.quotedName)"
  }
}
