import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// How an entity mapping sets a relationship: to the counterparts of a source relationship's objects.
struct RelationshipWriting {
  /// The source relationship; nil if the target is the counterpart of the source object itself.
  var sourceRelationship: RelationshipDescription?
  /// The indexes of the entity mappings that can take the source relationship's objects.
  var targets: [Int]
}

/// The reason SQL does not set a relationship.
struct RelationshipRefusal: Error {
  var text: String
}

/// Finds out from an expression which counterparts a relationship is set to.
struct RelationshipReader {
  let stores: MappedStores
  private var mappings: [CompleteEntityMapping] { stores.mappings }
  private var old: ManagedObjectModel { stores.sourceModel }
  private var new: ManagedObjectModel { stores.destinationModel }

  /// Returns how an entity mapping sets a relationship; nil if it does not. Throws if SQL cannot set it.
  func writing(of name: String, at mappingIndex: Int, _ relationship: RelationshipDescription)
    throws(RelationshipRefusal)
    -> RelationshipWriting?
  {
    let mapping = mappings[mappingIndex]
    guard let property = mapping.relationshipMappings.first(where: { $0.name == name }),
      let expression = property.valueExpression
    else { return nil }
    return try writing(expression, of: mapping, mappingIndex, relationship)
  }

  private func writing(
    _ expression: MappingExpression, of mapping: CompleteEntityMapping, _ mappingIndex: Int,
    _ relationship: RelationshipDescription
  ) throws(RelationshipRefusal) -> RelationshipWriting {
    let otherForm = "its expression does not refer to the counterparts of a source relationship's objects"
    guard let request = expression.counterpartsRequest, let entity = mapping.sourceEntityName else {
      throw RelationshipRefusal(text: otherForm)
    }
    let old = request.sourceKey.flatMap { self.old.relationship($0, of: entity) }
    guard old != nil || request.isSourceItself else { throw RelationshipRefusal(text: otherForm) }
    if let old, old.isTransient {
      throw RelationshipRefusal(text: "source relationship '\(old.name)' is not stored")
    }
    let all: [Int]
    switch request.through {
    case .mapping(let name): all = [try self.mappingIndex(named: name, from: mappingIndex)]
    case .relationship(let name):
      guard let named = self.old.relationship(name, of: entity) else {
        throw RelationshipRefusal(text: "its expression names a relationship that the source does not have")
      }
      let names = stores.fitting[stores.modelIndexes[mappingIndex]]
        .names(from: named.destinationEntityName, to: relationship.destinationEntityName)
      var found: [Int] = []
      for name in names { found.append(try self.mappingIndex(named: name, from: mappingIndex)) }
      all = found
    }
    // Entity mappings that never take the source relationship's objects make no difference.
    let targets = all.filter { target in
      guard let reached = mappings[target].sourceEntityName else { return false }
      // The source object is migrated only by entity mappings of its own entity.
      guard let old else { return reached == entity }
      return old.destinationEntityName.map { self.old.areRelated(reached, $0) } ?? false
    }
    for target in targets {
      guard let made = new.entity(named: mappings[target].destinationEntityName),
        let wanted = relationship.destinationEntityName, new.entity(made, isKindOf: wanted)
      else {
        throw RelationshipRefusal(text: "entity mapping '\(mappings[target].name)' creates objects of another entity")
      }
    }
    return RelationshipWriting(sourceRelationship: old, targets: Array(Set(targets)).sorted())
  }

  /// Looks up a name as `MigrationRun` does: in the same mapping model, or else in the last one before it.
  private func mappingIndex(named name: String, from mappingIndex: Int) throws(RelationshipRefusal) -> Int {
    let modelIndex = stores.modelIndexes[mappingIndex]
    let candidates = (stores.mappingsByName[name] ?? []).filter { stores.modelIndexes[$0] <= modelIndex }
    guard let found = candidates.first(where: { stores.modelIndexes[$0] == modelIndex }) ?? candidates.last else {
      throw RelationshipRefusal(text: "there is no entity mapping '\(name)'")
    }
    return found
  }
}

extension MappingExpression {
  /// The first key of each key path that starts at the source object.
  package var sourceKeys: Set<String> { sourceKeys { _ in true } }

  /// The keys of the source object that the expression reads without following them any further.
  package var lastSourceKeys: Set<String> { sourceKeys { $0.keys.count == 1 } }

  private func sourceKeys(where isIncluded: (ExpressionKeyPath) -> Bool) -> Set<String> {
    var keys: Set<String> = []
    visit { expression in
      guard case .keyPath(let base, let path) = expression.kind, case .variable("source") = base.kind,
        case .name(let key)? = path.keys.first, isIncluded(path)
      else { return }
      keys.insert(key)
    }
    return keys
  }

  /// True if the expression's value may depend on destination relationships that are already set: it calls code of the
  /// program, or reads destination objects.
  var mayReadNewObjects: Bool { mayReadNewObjects(givesObjects: true) }

  /// - Parameter givesObjects: True if objects are only passed on as the result, so none of their keys is read.
  fileprivate func mayReadNewObjects(givesObjects: Bool) -> Bool {
    switch kind {
    case .variable("destination"), .variable("entityPolicy"), .variable("manager"), .otherFunction: return true
    case .call(let receiver, let selector, let arguments):
      if case .variable("manager") = receiver.kind {
        let givesDestination = [
          ManagerSelector.destinationInstancesForMapping, ManagerSelector.destinationInstancesForRelationship,
        ].contains(selector)
        let givesSource = [ManagerSelector.sourceInstancesForMapping, ManagerSelector.fetchRequest].contains(selector)
        guard givesSource || givesDestination && givesObjects else { return true }
        return arguments.contains { $0.mayReadNewObjects(givesObjects: false) }
      }
      guard Self.harmlessSelectors.contains(selector) else { return true }
    case .keyPath(let base, let path):
      if case .variable("manager") = base.kind { return path.keys != [.name("sourceContext")] }
    case .ternary(let condition, let then, let otherwise):
      return condition.mayReadNewObjects || then.mayReadNewObjects(givesObjects: givesObjects)
        || otherwise.mayReadNewObjects(givesObjects: givesObjects)
    case .aggregate(let elements): return elements.contains { $0.mayReadNewObjects(givesObjects: givesObjects) }
    case .set(_, let left, let right):
      return left.mayReadNewObjects(givesObjects: givesObjects) || right.mayReadNewObjects(givesObjects: givesObjects)
    default: break
    }
    var found = false
    _ = kind.mapExpressions {
      if $0.mayReadNewObjects(givesObjects: false) { found = true }
      return $0
    } predicates: {
      if $0.mayReadNewObjects { found = true }
      return $0
    }
    return found
  }

  /// The built-in functions, which work on texts, numbers, dates and collections, and the functions that read a key.
  private static let harmlessSelectors = Set(FunctionRegistry.builtIn.selectors + ["valueForKey:", "valueForKeyPath:"])
}

extension MappingPredicate {
  fileprivate var mayReadNewObjects: Bool {
    var found = false
    _ = kind.mapExpressions {
      if $0.mayReadNewObjects(givesObjects: false) { found = true }
      return $0
    } predicates: {
      if $0.mayReadNewObjects { found = true }
      return $0
    }
    return found
  }
}
