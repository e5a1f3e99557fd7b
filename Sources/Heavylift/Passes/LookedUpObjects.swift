import HeavyliftSQLite

/// The objects of one entity mapping, for SQL functions that look them up.
struct LookedUpObjects {
  /// The keys of the source objects.
  let keys: KeySet
  let rule: KeyRule
  /// `Z_ENT` of the destination objects.
  let entity: Int

  func contains(_ key: Int64) -> Bool { keys.contains(key) }
}

extension MappedStores {
  /// Returns the objects that an entity mapping creates as declared from the source objects with these keys.
  func lookedUp(_ mappingIndex: Int, among keys: KeySet) -> LookedUpObjects {
    let entity = destination.layout.entity(named: mappings[mappingIndex].destinationEntityName)
    return LookedUpObjects(
      keys: keys, rule: self.keys.rules[mappingIndex] ?? KeyRule(offset: 0), entity: entity?.number ?? 0)
  }
}

extension MigrationRun {
  /// Returns the objects that an entity mapping has created as declared so far.
  func lookedUp(_ mappingIndex: Int) -> LookedUpObjects {
    stores.lookedUp(mappingIndex, among: associations.declaredKeys(mapping: mappingIndex))
  }
}

extension Database {
  /// Registers the functions that find the targets of a link. They return NULL if there is none.
  func register(_ functions: LinkFunctions.Target, in targets: [LookedUpObjects]) throws {
    try register(keyLookUp: functions.key, in: targets)
    try register(directFunction: functions.entity, argumentCount: 1, isDeterministic: true) { arguments, result in
      let key = arguments.key(at: 0)
      if let target = targets.first(where: { $0.contains(key) }) { result.set(integer: Int64(target.entity)) }
    }
  }

  /// Registers a function that returns the key of a source object's counterpart, or NULL if there is none.
  func register(keyLookUp name: String, in targets: [LookedUpObjects]) throws {
    if let target = targets.first, targets.count == 1 {
      try register(directFunction: name, argumentCount: 1, isDeterministic: true) { arguments, result in
        let key = arguments.key(at: 0)
        if target.contains(key) { result.set(integer: target.rule.destinationKey(ofSource: key)) }
      }
      return
    }
    try register(directFunction: name, argumentCount: 1, isDeterministic: true) { arguments, result in
      let key = arguments.key(at: 0)
      guard let target = targets.first(where: { $0.contains(key) }) else { return }
      result.set(integer: target.rule.destinationKey(ofSource: key))
    }
  }

  /// Registers a function that returns 1 if the objects at both ends of a link have counterparts, and 0 if not.
  func register(linkTest name: String, from owners: LookedUpObjects, to targets: LookedUpObjects) throws {
    try register(directFunction: name, argumentCount: 2, isDeterministic: true) { arguments, result in
      let exist = owners.contains(arguments.key(at: 0)) && targets.contains(arguments.key(at: 1))
      result.set(integer: exist ? 1 : 0)
    }
  }
}

extension SQLiteArguments {
  /// Returns an argument that is a key; 0, which is not a key, for NULL and for values of other types.
  func key(at index: Int) -> Int64 { type(at: index) == .integer ? integer(at: index) : 0 }
}
