import HeavyliftModel

/// Objects that show what a mapping does: every attribute at its default, at nil and at both ends of its range; every
/// relationship with no target, one and many.
///
/// ```swift
/// let graph = VariedGraph(music1).graph
/// ```
///
/// For a pair of versions, the objects also show what the filters of the mapping do: some pass each filter, and one passes
/// none.
public struct VariedGraph {
  /// The roles of an entity's four objects.
  enum Part: String, CaseIterable {
    /// Only mandatory values are written.
    case plain
    /// Every optional value is nil.
    case empty
    case least
    case most
  }

  /// The objects.
  public private(set) var graph: ObjectGraph
  /// Notes about parts of the graph that the user must complete.
  public private(set) var notes: [String] = []
  private let model: ManagedObjectModel
  private let entities: [GraphEntity]

  /// Generates objects for every entity that can have any.
  public init(_ model: ManagedObjectModel) { self.init(model, cases: []) }

  /// Generates objects of the pair's source version for its mapping.
  public init(_ pair: MigrationPair) { self.init(pair.sourceModel, cases: FilterCase.all(of: pair)) }

  init(_ model: ManagedObjectModel, cases: [FilterCase]) {
    self.model = model
    graph = ObjectGraph(modelName: model.name)
    entities = model.entities.filter { !$0.isAbstract }.sorted { $0.name < $1.name }.map { GraphEntity($0, in: model) }
    var notes: [String] = []
    for (number, entity) in entities.enumerated() {
      for part in Part.allCases { graph.objects.append(object(part, of: entity, number: number, &notes)) }
    }
    self.notes = notes
    var links = VariedLinks(model: model, entities: entities)
    links.connect(&graph)
    self.notes += links.notes
    completeLinks()
    guard !cases.isEmpty else { return }
    show(cases)
    completeLinks()
  }

  /// Links mandatory relationships that are still empty: if each object can be a target only once, four objects are not
  /// always enough, and some must be removed.
  private mutating func completeLinks() {
    var links = RandomLinks(graph.objects, entities, model)
    links.takeLinks()
    guard !links.isValid else { return }
    notes += links.complete().map { "object '\($0)' is skipped: no object is available as its mandatory target" }
    graph.objects = links.valid
  }

  // MARK: Filters

  /// Changes and adds objects so that there are some for each case.
  private mutating func show(_ cases: [FilterCase]) {
    var number = entities.count
    for filterCase in cases {
      guard let search = FilterSearch(filterCase, model: model) else { continue }
      guard case .taken(let mapping) = filterCase.kind else {
        if !search.holdsForAny(in: graph) {
          add(filterCase, search, number: number)
          number += 1
        }
        continue
      }
      // Every filter gets its share of an entity's four objects, the richest first.
      let filters = cases.filter { filterCase in
        if case .taken = filterCase.kind { filterCase.entityName == search.entityName } else { false }
      }
      let place = filters.firstIndex { $0.objectName == filterCase.objectName } ?? 0
      var isShown = false
      for (index, part) in [Part.most, .least, .plain, .empty].enumerated() where index % filters.count == place {
        let name = Self.name(part, of: filterCase.entityName)
        guard let position = graph.objects.firstIndex(where: { $0.name == name }),
          let changed = search.change(graph.objects[position], in: graph)
        else { continue }
        graph.objects[position] = changed
        isShown = isShown || index < 2
      }
      guard !isShown else { continue }
      if !add(filterCase, search, number: number), !search.holdsForAny(in: graph) {
        notes.append("no object passes the filter of '\(mapping)': write one that does")
      }
      number += 1
    }
  }

  /// Returns an unlinked object for a case, whose values are not adapted to the case yet.
  ///
  /// - Parameter number: A number that no entity has, for unique values.
  func object(for filterCase: FilterCase, number: Int) -> ObjectGraph.Object? {
    guard let entity = entities.first(where: { $0.name == filterCase.entityName }) else { return nil }
    var notes: [String] = []
    var object = object(filterCase.isComplete ? .most : .plain, of: entity, number: number, &notes)
    object.name = filterCase.objectName
    return object
  }

  /// Adds an object for a case, if one can be found.
  @discardableResult
  private mutating func add(_ filterCase: FilterCase, _ search: FilterSearch, number: Int) -> Bool {
    guard let new = object(for: filterCase, number: number), graph.object(named: new.name) == nil else { return false }
    var links = RandomLinks(graph.objects + [new], entities, model)
    links.takeLinks()
    if filterCase.isComplete { links.linkOptionals(of: new) }
    guard !links.complete(keeping: Set(graph.objects.map(\.name))).contains(new.name),
      let linked = links.valid.first(where: { $0.name == new.name })
    else { return false }
    var grown = graph
    grown.objects = links.valid
    guard let changed = search.change(linked, in: grown),
      let position = grown.objects.firstIndex(where: { $0.name == new.name })
    else { return false }
    grown.objects[position] = changed
    graph = grown
    return true
  }

  static func name(_ part: Part, of entity: String) -> String {
    "\(part.rawValue) \(entity.prefix(1).lowercased())\(entity.dropFirst())"
  }

  private func object(
    _ part: Part, of entity: GraphEntity, number: Int, _ notes: inout [String]
  ) -> ObjectGraph.Object {
    var object = ObjectGraph.Object(Self.name(part, of: entity.name), entityName: entity.name)
    let unique = Set(
      model.entity(named: entity.name).map { model.lineage(of: $0) }?.flatMap(\.uniquenessConstraints)
        .flatMap(\.propertyNames) ?? [])
    for attribute in entity.storedAttributes {
      let values = VariedValues(attribute, model: model, entityNumber: unique.contains(attribute.name) ? number : nil)
      if part == .plain, attribute.validation.regularExpression != nil, attribute.defaultValue.isNull {
        notes.append(
          "attribute '\(attribute.name)' of entity '\(entity.name)' has a pattern: write values that match it")
      }
      if let value = values.value(part) { object.attributes[attribute.name] = value }
    }
    return object
  }
}
