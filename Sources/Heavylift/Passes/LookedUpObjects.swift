import HeavyliftSQLite

/// The objects of one entity mapping, for SQL functions that look them up.
struct LookedUpObjects {
  /// The keys of the source objects, if they are known.
  private let keys: KeySet
  private let areKnown: Bool
  let rule: KeyRule
  /// `Z_ENT` of the destination objects.
  let entity: Int

  /// - Parameter keys: The keys of the source objects; nil if any source object may have a counterpart here.
  init(keys: KeySet?, rule: KeyRule, entity: Int) {
    // Reading an optional set would copy it.
    (self.keys, areKnown) = (keys ?? KeySet(), keys != nil)
    (self.rule, self.entity) = (rule, entity)
  }

  func contains(_ key: Int64) -> Bool { areKnown ? keys.contains(key) : key > 0 }
}

extension MappedStores {
  /// Returns the objects that an entity mapping creates as declared from the source objects with these keys; nil for any
  /// key.
  func lookedUp(_ mappingIndex: Int, among keys: KeySet?) -> LookedUpObjects {
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
  /// Registers the functions that find the targets of a link. They return NULL if there is none or `isWanted` returns
  /// false.
  func register(
    _ functions: LinkFunctions.Target, in targets: [LookedUpObjects], while isWanted: (() -> Bool)? = nil
  ) throws {
    try register(keyLookUp: functions.key, in: targets, while: isWanted)
    try register(entityLookUp: functions.entity, in: targets, while: isWanted)
  }

  /// Registers a function that returns the key of a source object's counterpart: NULL if there is none or `isWanted`
  /// returns false.
  func register(
    keyLookUp name: String, in targets: [LookedUpObjects], while isWanted: (() -> Bool)? = nil
  ) throws {
    if let target = targets.first, targets.count == 1 {
      try register(directFunction: name, argumentCount: 1, isDeterministic: true) { arguments, result in
        let key = arguments.key(at: 0)
        if target.contains(key), isWanted?() ?? true { result.set(integer: target.rule.destinationKey(ofSource: key)) }
      }
      return
    }
    try register(directFunction: name, argumentCount: 1, isDeterministic: true) { arguments, result in
      let key = arguments.key(at: 0)
      guard let target = targets.first(where: { $0.contains(key) }), isWanted?() ?? true else { return }
      result.set(integer: target.rule.destinationKey(ofSource: key))
    }
  }

  /// Registers a function that returns the entity number of a source object's counterpart, or NULL under the same
  /// conditions.
  private func register(
    entityLookUp name: String, in targets: [LookedUpObjects], while isWanted: (() -> Bool)?
  ) throws {
    try register(directFunction: name, argumentCount: 1, isDeterministic: true) { arguments, result in
      let key = arguments.key(at: 0)
      guard let target = targets.first(where: { $0.contains(key) }), isWanted?() ?? true else { return }
      result.set(integer: Int64(target.entity))
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
  fileprivate func key(at index: Int) -> Int64 { type(at: index) == .integer ? integer(at: index) : 0 }
}
