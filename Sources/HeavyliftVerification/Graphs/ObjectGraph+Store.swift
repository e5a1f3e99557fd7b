import HeavyliftModel
public import HeavyliftStore

extension ObjectGraph {
  /// Reads all objects of a store.
  ///
  /// Intended for small stores.
  ///
  /// - Parameters:
  ///   - store: The store to read.
  ///   - names: The names of objects; an object without one is named after its entity and key: `track7`.
  public init(_ store: PersistentStore, names: [ManagedObjectID: String] = [:]) throws {
    self.init(modelName: store.model.name)
    let context = ManagedObjectContext(store: store)
    var fetched: [(object: ManagedObject, entity: GraphEntity)] = []
    for entity in store.model.entities.sorted(by: { $0.name < $1.name }) where !entity.isAbstract {
      guard store.layout.entity(named: entity.name) != nil else { continue }
      var request = FetchRequest(entityName: entity.name)
      request.includesSubentities = false
      let shape = GraphEntity(entity, in: store.model)
      fetched += try context.fetch(request).map { ($0, shape) }
    }
    let called = Self.names(of: fetched.map(\.object), given: names)
    objects = try fetched.map { object, entity in
      var read = Object(called[object.objectID] ?? "", entityName: entity.name)
      for attribute in entity.storedAttributes {
        read.attributes[attribute.name] = try object.value(forKey: attribute.name) as Value
      }
      for relationship in entity.sortedRelationships where !relationship.isTransient {
        let targets =
          relationship.isToMany
          ? try object.objects(forKey: relationship.name)
          : try object.object(forKey: relationship.name).map { [$0] } ?? []
        let names = try targets.map { target in
          if let name = called[target.objectID] { return name }
          throw Diagnostic(
            .error, code: "graph.dangling",
            problem: "relationship '\(relationship.name)' of object \(object) refers to an object that does not exist",
            remedy: "fix the store first: 'heavylift dump' shows dangling references")
        }
        read.relationships[relationship.name] = relationship.isOrdered ? names : names.sorted()
      }
      return read
    }
  }

  private static func names(
    of objects: [ManagedObject], given: [ManagedObjectID: String]
  ) -> [ManagedObjectID: String] {
    var taken = Set(given.values)
    var names: [ManagedObjectID: String] = [:]
    for object in objects {
      let id = object.objectID
      if let name = given[id] {
        names[id] = name
        continue
      }
      let own = id.entityName.prefix(1).lowercased() + id.entityName.dropFirst() + "\(id.key)"
      var name = own
      var number = 2
      while !taken.insert(name).inserted {
        name = "\(own).\(number)"
        number += 1
      }
      names[id] = name
    }
    return names
  }
}
