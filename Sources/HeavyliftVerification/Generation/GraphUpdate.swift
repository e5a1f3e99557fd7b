import Foundation
import HeavyliftModel

/// Updates a graph, generated or handwritten, to fit a model that has changed since.
///
/// Everything the user wrote stays if the model still has a place for it.
package struct GraphUpdate {
  /// The updated graph.
  package private(set) var graph: ObjectGraph
  /// Descriptions of the changes.
  package private(set) var changes: [String] = []
  /// The number of objects that were added.
  package private(set) var addedObjects = 0

  /// Reads a graph's file and updates the graph.
  ///
  /// - Throws: `DiagnosticList` with mistakes that the user must fix first.
  package init(contentsOf url: URL, model: ManagedObjectModel) throws {
    try self.init(contentsOf: url, model: model, cases: [])
  }

  /// Reads a graph's file and updates the graph to fit the pair's source version and the filters of its mapping.
  ///
  /// - Throws: `DiagnosticList` with mistakes that the user must fix first.
  package init(contentsOf url: URL, pair: MigrationPair) throws {
    try self.init(contentsOf: url, model: pair.sourceModel, cases: FilterCase.all(of: pair))
  }

  private init(contentsOf url: URL, model: ManagedObjectModel, cases: [FilterCase]) throws {
    (graph, changes) = try Self.prune(url, to: model)
    complete(model, cases)
  }

  /// Reads a graph's file, without the entities and properties that the model no longer has.
  static func prune(_ url: URL, to model: ManagedObjectModel) throws -> (graph: ObjectGraph, changes: [String]) {
    let root = try JSONParser.parse(ObjectGraph.text(of: url), file: url.relativePath)
    var pruning = Pruning(model: model)
    let graph = try ObjectGraph(pruning.prune(root), folder: url.deletingLastPathComponent(), model: model)
    return (graph, pruning.changes)
  }

  /// Adds objects of entities that have none, values of attributes that no object in the graph mentions, and objects for
  /// filters that tell none of the graph's objects apart.
  private mutating func complete(_ model: ManagedObjectModel, _ cases: [FilterCase]) {
    let varied = VariedGraph(model, cases: cases).graph
    let known = Set(graph.objects.map(\.entityName))
    let names = Set(graph.objects.map(\.name))
    add(varied.objects.filter { !known.contains($0.entityName) && !names.contains($0.name) }, model)
    for entity in model.entities where known.contains(entity.name) {
      for attribute in GraphEntity(entity, in: model).storedAttributes {
        let own = graph.objects.indices.filter { graph.objects[$0].entityName == entity.name }
        guard own.allSatisfy({ graph.objects[$0].attributes[attribute.name] == nil }) else { continue }
        for index in own {
          guard let value = varied.object(named: graph.objects[index].name)?.attributes[attribute.name] else {
            continue
          }
          graph.objects[index].attributes[attribute.name] = value
          changes.append("wrote '\(attribute.name)' of object '\(graph.objects[index].name)'")
        }
      }
    }
    let all = Set(graph.objects.map(\.name))
    for index in graph.objects.indices {
      for (name, targets) in graph.objects[index].relationships where !targets.allSatisfy(all.contains) {
        graph.objects[index].relationships[name] = targets.filter(all.contains)
      }
    }
    for (index, filterCase) in cases.enumerated() {
      show(filterCase, VariedGraph(model, cases: []), number: model.entities.count + index, model)
    }
  }

  /// Adds an object for a case if the graph has none.
  private mutating func show(
    _ filterCase: FilterCase, _ varied: VariedGraph, number: Int, _ model: ManagedObjectModel
  ) {
    guard let search = FilterSearch(filterCase, model: model), !search.holdsForAny(in: graph),
      graph.object(named: filterCase.objectName) == nil, let new = varied.object(for: filterCase, number: number)
    else { return }
    let before = self
    add([new], model, linksOptionals: filterCase.isComplete)
    guard let place = graph.objects.firstIndex(where: { $0.name == new.name }),
      let changed = search.change(graph.objects[place], in: graph)
    else {
      self = before
      return
    }
    graph.objects[place] = changed
  }

  /// Adds new objects, with as many links as the user's objects have room for.
  private mutating func add(
    _ new: [ObjectGraph.Object], _ model: ManagedObjectModel, linksOptionals: Bool = false
  ) {
    guard !new.isEmpty else { return }
    let written = graph.objects
    let entities = model.entities.map { GraphEntity($0, in: model) }
    let sides = RelationshipSides(model: model)
    var links = RandomLinks(written + new, entities, model)
    links.takeLinks()
    if linksOptionals { new.forEach { links.linkOptionals(of: $0) } }
    let left = Set(links.complete(keeping: Set(written.map(\.name))))
    let places = Dictionary(uniqueKeysWithValues: written.enumerated().map { ($0.element.name, $0.offset) })
    for var object in new where !left.contains(object.name) {
      object.relationships = [:]
      for relationship in entities.first(where: { $0.name == object.entityName })?.sortedRelationships ?? [] {
        let targets = links.targets(of: object.name, relationship.name)
        guard !targets.isEmpty, sides.isOwner(relationship) || targets.contains(where: { places[$0] != nil }) else {
          continue
        }
        object.relationships[relationship.name] = targets
        guard let inverse = sides.inverse(of: relationship)?.name else { continue }
        // A list of targets that the user wrote must name the new object, too: both sides must agree.
        for place in targets.compactMap({ places[$0] }) where graph.objects[place].relationships[inverse] != nil {
          graph.objects[place].relationships[inverse]?.append(object.name)
        }
      }
      graph.objects.append(object)
      addedObjects += 1
      changes.append("added object '\(object.name)' of entity '\(object.entityName)'")
    }
    changes += left.sorted().map { "skipped object '\($0)': no object is available as its mandatory target" }
  }

  /// Removes entities and properties that the model no longer has.
  private struct Pruning {
    let model: ManagedObjectModel
    var changes: [String] = []

    mutating func prune(_ root: JSONNode) -> JSONNode {
      guard let members = root.members else { return root }
      var root = root
      root.kind = .object(
        members.map { member in
          switch member.name {
          case "model":
            var renamed = member
            if let name = model.name, member.value.string != name {
              renamed.value.kind = .string(name)
              changes.append("the model is now '\(name)'")
            }
            return renamed
          case "objects": return entities(member)
          default: return member
          }
        })
      return root
    }

    private mutating func entities(_ member: JSONNode.Member) -> JSONNode.Member {
      guard let entities = member.value.members else { return member }
      var member = member
      member.value.kind = .object(
        entities.compactMap { entity in
          if entity.name.hasPrefix("//") { return entity }
          guard let description = model.entity(named: entity.name) else {
            changes.append("removed entity '\(entity.name)', which the model no longer has")
            return nil
          }
          return objects(entity, GraphEntity(description, in: model))
        })
      return member
    }

    private mutating func objects(_ member: JSONNode.Member, _ entity: GraphEntity) -> JSONNode.Member {
      guard let objects = member.value.members else { return member }
      var member = member
      member.value.kind = .object(
        objects.map { object in
          guard let properties = object.value.members else { return object }
          var object = object
          object.value.kind = .object(
            properties.filter { property in
              if property.name.hasPrefix("//") || entity.attributes[property.name] != nil
                || entity.relationships[property.name] != nil
              {
                return true
              }
              changes.append("removed '\(property.name)' of object '\(object.name)', which the model no longer has")
              return false
            })
          return object
        })
      return member
    }
  }
}
