import HeavyliftModel

/// Reads a graph from JSON and collects its mistakes.
struct GraphReader {
  let model: ManagedObjectModel
  let values: GraphValueReader
  private(set) var mistakes: [Diagnostic] = []

  init(model: ManagedObjectModel, values: GraphValueReader) {
    self.model = model
    self.values = values
  }

  mutating func graph(_ root: JSONNode) -> ObjectGraph {
    var graph = ObjectGraph()
    for member in members(of: root, "a graph", #"{ "model": "…", "objects": { … } }"#) {
      switch member.name {
      case "model": graph.modelName = modelName(member.value)
      case "objects":
        let expected = #"the entities in { }, each with its objects: { "Track": { "first": { … } } }"#
        for entity in members(of: member.value, "'objects'", expected) { read(entity, into: &graph) }
      default: report(.unknownMember(member.name), at: member.nameLocation)
      }
    }
    refuseTakenNames(in: graph)
    return graph
  }

  private mutating func modelName(_ node: JSONNode) -> String? {
    guard let name = node.string else {
      report(.unexpectedKind("'model'", expected: "the model's name in double quotes", found: node), at: node.location)
      return nil
    }
    if let own = model.name, own != name { report(.otherModel(name, expected: own), at: node.location) }
    return name
  }

  private mutating func read(_ member: JSONNode.Member, into graph: inout ObjectGraph) {
    guard let entity = model.entity(named: member.name) else {
      return report(.unknownEntity(member.name, known: model.entities.map(\.name)), at: member.nameLocation)
    }
    guard !entity.isAbstract else {
      let concrete = model.entities.filter { !$0.isAbstract && model.entity($0, isKindOf: entity.name) }.map(\.name)
      return report(.abstractEntity(entity.name, concrete: concrete.sorted()), at: member.nameLocation)
    }
    let shape = GraphEntity(entity, in: model)
    let expected = #"its objects in { }, each with its name: { "first": { … } }"#
    for object in members(of: member.value, "entity \(entity.name.quotedName)", expected) {
      graph.objects.append(self.object(object, shape))
    }
  }

  private mutating func object(_ member: JSONNode.Member, _ entity: GraphEntity) -> ObjectGraph.Object {
    var object = ObjectGraph.Object(member.name, entityName: entity.name, location: member.nameLocation)
    let properties = members(
      of: member.value, "object \(member.name.quotedName)", #"its properties in { }: { "title": "…" }"#)
    object.remark = member.value.members?.first { $0.name == "//" }?.value.string
    for property in properties {
      object.propertyLocations[property.name] = property.value.location
      if entity.attributes[property.name] != nil || entity.relationships[property.name] != nil,
        let open = property.value.members, open.count == 1, open[0].name == "any", open[0].value.kind == .bool(true)
      {
        object.openProperties.insert(property.name)
      } else if let attribute = entity.attributes[property.name] {
        read(property, attribute, of: entity, into: &object)
      } else if let relationship = entity.relationships[property.name] {
        read(property, relationship, of: entity, into: &object)
      } else {
        report(
          .unknownProperty(property.name, entity: entity.name, known: entity.propertyNames), at: property.nameLocation)
      }
    }
    refuseMissingValues(of: object, entity, at: member.nameLocation)
    return object
  }

  private mutating func read(
    _ property: JSONNode.Member, _ attribute: AttributeDescription, of entity: GraphEntity,
    into object: inout ObjectGraph.Object
  ) {
    guard !attribute.isTransient, !attribute.isDerived else {
      return report(
        .notStored(attribute.name, entity: entity.name, isDerived: attribute.isDerived), at: property.nameLocation)
    }
    do {
      object.attributes[attribute.name] = try values.value(
        of: property.value, attribute: attribute, entity: entity.name)
    } catch {
      mistakes.append(error)
    }
  }

  private mutating func read(
    _ property: JSONNode.Member, _ relationship: RelationshipDescription, of entity: GraphEntity,
    into object: inout ObjectGraph.Object
  ) {
    let nodes: [JSONNode]
    switch property.value.kind {
    case .null where !relationship.isToMany: nodes = []
    case .string where !relationship.isToMany: nodes = [property.value]
    case .array(let elements) where relationship.isToMany || elements.count < 2: nodes = elements
    case .array(let elements):
      return report(
        .severalTargets(relationship.name, entity: entity.name, count: elements.count), at: property.value.location)
    default:
      let name = "relationship \(relationship.name.quotedName) of entity \(entity.name.quotedName)"
      let expected =
        relationship.isToMany ? #"the names of objects in [ ]: ["first"]"# : #"the name of an object, or null"#
      return report(.unexpectedKind(name, expected: expected, found: property.value), at: property.value.location)
    }
    var names: [String] = []
    for node in nodes {
      guard let name = node.string else {
        let what = "a target of \(relationship.name.quotedName)"
        report(
          .unexpectedKind(what, expected: "the name of an object in double quotes", found: node), at: node.location)
        continue
      }
      if names.contains(name) { report(.repeatedTarget(name, relationship: relationship.name), at: node.location) }
      names.append(name)
    }
    object.relationships[relationship.name] = names
  }

  /// Reports missing mandatory values here, because the store, which would reject them later, does not know the lines
  /// in the file.
  private mutating func refuseMissingValues(
    of object: ObjectGraph.Object, _ entity: GraphEntity, at location: DiagnosticLocation
  ) {
    for attribute in entity.storedAttributes where !attribute.isOptional {
      let isMentioned = object.propertyLocations[attribute.name] != nil
      let value = object.attributes[attribute.name]
      guard value == .null || (!isMentioned && attribute.defaultValue.isNull) else { continue }
      report(
        .missingValue(attribute.name, object: object.name), at: object.propertyLocations[attribute.name] ?? location)
    }
  }

  private mutating func refuseTakenNames(in graph: ObjectGraph) {
    var places: [String: DiagnosticLocation?] = [:]
    for object in graph.objects {
      if let other = places[object.name] {
        report(.nameTaken(object.name, other), at: object.location)
      } else {
        places[object.name] = object.location
      }
    }
  }

  /// The members of an object, without remarks: JSON has no comments, so names that start with `//` mark remarks.
  private mutating func members(of node: JSONNode, _ name: String, _ expected: String) -> [JSONNode.Member] {
    guard let members = node.members else {
      report(.unexpectedKind(name, expected: expected, found: node), at: node.location)
      return []
    }
    var seen: [String: DiagnosticLocation] = [:]
    var found: [JSONNode.Member] = []
    for member in members where !member.name.hasPrefix("//") {
      if let first = seen[member.name] {
        report(.repeated(member.name, first), at: member.nameLocation)
        continue
      }
      seen[member.name] = member.nameLocation
      found.append(member)
    }
    return found
  }

  private mutating func report(_ mistake: GraphMistake, at location: DiagnosticLocation?) {
    mistakes.append(mistake.diagnostic(at: location))
  }
}
