public import Foundation
import Heavylift
public import HeavyliftModel
public import HeavyliftStore

extension ObjectGraph {
  /// Builds a store with the graph's objects.
  ///
  /// ```swift
  /// let graph = try ObjectGraph(contentsOf: file, model: music1)
  /// let names = try graph.build(at: url, model: music1)
  /// ```
  ///
  /// Objects get their keys in the order of the graph, so the same graph always yields the same store.
  ///
  /// - Returns: The ID of each object, by name.
  /// - Throws: `DiagnosticList` for mistakes in the graph and for rules of the model that its objects break. No store
  ///   is left behind.
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
    do {
      let identifiers = try fill(store, model)
      try store.close()
      return identifiers
    } catch {
      try? store.close()
      let support = store.externalData.url.deletingLastPathComponent()
      for path in ["", "-wal", "-shm"].map({ url.path + $0 }) + [support.path] {
        try? FileManager.default.removeItem(atPath: path)
      }
      throw error
    }
  }

  private func fill(_ store: PersistentStore, _ model: ManagedObjectModel) throws -> [String: ManagedObjectID] {
    let context = ManagedObjectContext(store: store)
    let made = try fill(context, model)
    let temporary = made.mapValues(\.objectID)
    do {
      try context.save()
    } catch let broken as ValidationErrors {
      let names = Dictionary(
        (Array(temporary) + Array(made.mapValues(\.objectID))).map { ($0.value, $0.key) },
        uniquingKeysWith: { first, _ in first })
      throw DiagnosticList(broken.errors.map { diagnostic(for: $0, object: names[$0.objectID], model) })
    }
    // Times of saving would differ from store to store.
    try DerivedValues.fill(context, model, setsTimes: false)
    return made.mapValues(\.objectID)
  }

  /// Returns a diagnostic for a broken rule, located at the property or else at the object.
  private func diagnostic(
    for error: ValidationError, object name: String?, _ model: ManagedObjectModel
  ) -> Diagnostic {
    let object = name.flatMap(object(named:))
    let location = error.propertyNames.lazy.compactMap { object?.propertyLocations[$0] }.first ?? object?.location
    return GraphMistake.brokenRule(
      error.propertyNames, object: name ?? error.objectID.entityName, problem: error.problem,
      remedy: object.flatMap { missingTarget(error, of: $0, model) } ?? error.remedy
    ).diagnostic(at: location)
  }

  /// Returns a remedy for a mandatory relationship without a target: the line to write, naming an object of the graph
  /// if one fits.
  private func missingTarget(_ error: ValidationError, of object: Object, _ model: ManagedObjectModel) -> String? {
    let index = ModelIndex(model)
    guard error.code == .missingMandatoryProperty, let name = error.propertyNames.first,
      let entity = model.entity(named: object.entityName),
      let relationship = model.allRelationships(of: entity).first(where: { $0.name == name }),
      let target = relationship.destinationEntityName, let targetIndex = index.entity(named: target)
    else { return nil }
    let entities = Set(index.entityAndSubentities(of: targetIndex).map { model.entities[$0].name })
    guard let example = objects.first(where: { entities.contains($0.entityName) }) else {
      return "add an object of entity \(target.quotedName), and name it in \(name.quotedName)"
    }
    return "write its target: \"\(name)\": \"\(example.name)\""
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
