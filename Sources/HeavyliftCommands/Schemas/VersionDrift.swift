import HeavyliftModel

/// The differences between a version and its frozen model.
struct VersionDrift {
  let name: String
  let difference: ModelDifference
  /// The differences between the elements of composite types.
  private let elements: [String: [PropertyDifference]]

  init(of name: String, from frozen: ManagedObjectModel, to current: ManagedObjectModel) {
    self.name = name
    difference = ModelDifference(from: frozen, to: current)
    elements = Self.elements(from: frozen, to: current)
  }

  /// Compares the elements of composite types as if they were attributes of an entity: a model's difference says only of
  /// entities whether their version hash changes.
  private static func elements(
    from frozen: ManagedObjectModel, to current: ManagedObjectModel
  ) -> [String: [PropertyDifference]] {
    func model(_ composite: CompositeDescription) -> ManagedObjectModel {
      ManagedObjectModel(entities: [EntityDescription(name: composite.name, attributes: composite.elements)])
    }
    var elements: [String: [PropertyDifference]] = [:]
    for new in current.composites {
      guard let old = frozen.composites.first(where: { $0.name == new.name }) else { continue }
      elements[new.name] = ModelDifference(from: model(old), to: model(new)).entities.flatMap(\.properties).map {
        var element = $0
        element.kind = .element
        return element
      }
    }
    return elements
  }

  var isEmpty: Bool { difference.isEmpty && !difference.changesVersionHashes }

  /// All differences in words.
  var facts: [String] { sortedFacts.hashed + sortedFacts.others }

  /// An error for each difference that changes a version hash, and a note for each other one.
  var diagnostics: [Diagnostic] {
    let facts = sortedFacts
    return facts.hashed.map {
      Diagnostic(
        .error, code: "schema.drift", problem: "version \(name.quotedName) has changed since it was frozen: \($0)",
        remedy: "stores of this version exist: undo the change, or make it in a new version and freeze that one")
    }
      + facts.others.map {
        Diagnostic(
          .note, code: "schema.unhashed-drift",
          problem: "version \(name.quotedName) differs from its frozen model, but not in its version hashes: \($0)",
          remedy: "undo the change, or record it with 'schema freeze --replace'")
      }
  }

  private var sortedFacts: (hashed: [String], others: [String]) {
    var hashed: [String] = []
    var others: [String] = []
    func add(_ text: String, _ isHashed: Bool) {
      if isHashed { hashed.append(text) } else { others.append(text) }
    }
    for change in difference.changes { add("model: \(change)", change.changesVersionHash) }
    for entity in difference.entities {
      let place = "entity \(entity.name.quotedName)"
      if [.added, .removed].contains(entity.difference) { add("\(place): \(entity.difference.rawValue)", true) }
      for change in entity.changes { add("\(place): \(change)", change.changesVersionHash) }
      for property in entity.properties {
        for fact in Self.facts(of: property, at: place) { add(fact.text, fact.isHashed) }
      }
      if entity.versionHashReasons.contains(.unexplained) {
        add("\(place): \(VersionHashReason.unexplained)", true)
      }
    }
    for part in difference.parts {
      let place = "\(part.kind.rawValue) \(part.name.quotedName)"
      if [.added, .removed].contains(part.difference) { add("\(place): \(part.difference.rawValue)", false) }
      for change in part.changes { add("\(place): \(change)", change.changesVersionHash) }
      for element in part.kind == .composite ? elements[part.name] ?? [] : [] {
        for fact in Self.facts(of: element, at: place) { add(fact.text, fact.isHashed) }
      }
    }
    // For example, an attribute that now has another composite type.
    if hashed.isEmpty, difference.changesVersionHashes {
      for entity in difference.entities {
        for reason in entity.versionHashReasons { add("entity \(entity.name.quotedName): \(reason)", true) }
      }
    }
    return (hashed, others)
  }

  private static func facts(of property: PropertyDifference, at place: String) -> [(text: String, isHashed: Bool)] {
    let thing = "\(place): \(property.kind.rawValue) \(property.name.quotedName)"
    switch property.difference {
    case .added, .removed:
      let facts = property.facts.map { " (\($0))" } ?? ""
      return [("\(thing): \(property.difference.rawValue)\(facts)", property.changesVersionHash)]
    case .renamed, .changed:
      return property.changes.map { ("\(thing): \($0)", $0.changesVersionHash) }
    }
  }
}
