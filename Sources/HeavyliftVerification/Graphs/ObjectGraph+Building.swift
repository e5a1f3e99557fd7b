public import Foundation
public import HeavyliftModel
public import HeavyliftStore

extension ObjectGraph {
  /// Makes a store that holds the graph's objects.
  ///
  /// ```swift
  /// let graph = try ObjectGraph(contentsOf: file, model: music1)
  /// let names = try graph.build(at: url, model: music1)
  /// ```
  ///
  /// Keys follow from the order in which objects stand in the graph: the same graph makes the same store.
  ///
  /// - Returns: What identifies each object, by its name.
  /// - Throws: `DiagnosticList` for mistakes in the graph, and what the store says of values that its model refuses.
  @discardableResult
  public func build(
    at url: URL, model: ManagedObjectModel, options: PersistentStore.CreationOptions = .init()
  ) throws -> [String: ManagedObjectID] {
    let open = objects.flatMap { object in
      object.openProperties.sorted().map { name in
        GraphMistake.openValue(name, object: object.name).diagnostic(at: object.propertyLocations[name])
      }
    }
    let mistakes = open + GraphLinks(self, model: model).mistakes
    guard mistakes.isEmpty else { throw DiagnosticList(mistakes) }
    let store = try PersistentStore.create(at: url, model: model, options: options)
    defer { try? store.close() }
    let context = ManagedObjectContext(store: store)
    let made = try fill(context, model)
    try context.save()
    return made.mapValues(\.objectID)
  }

  private func fill(
    _ context: ManagedObjectContext, _ model: ManagedObjectModel
  ) throws -> [String: ManagedObject] {
    var made: [String: ManagedObject] = [:]
    for object in objects {
      let managed = try context.insert(object.entityName)
      for (name, value) in object.attributes { try managed.setValue(value, forKey: name) }
      made[object.name] = managed
    }
    let entities = Dictionary(
      model.entities.map { ($0.name, GraphEntity($0, in: model)) }, uniquingKeysWith: { first, _ in first })
    for object in objects {
      guard let managed = made[object.name] else { continue }
      for relationship in entities[object.entityName]?.sortedRelationships ?? [] {
        guard let names = object.relationships[relationship.name] else { continue }
        let targets = names.compactMap { made[$0] }
        if relationship.isToMany {
          try managed.setObjects(targets, forKey: relationship.name)
        } else {
          try managed.setObject(targets.first, forKey: relationship.name)
        }
      }
    }
    return made
  }
}
