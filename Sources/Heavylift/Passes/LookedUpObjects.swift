import HeavyliftSQLite

/// The objects that come about through one entity mapping, as functions look them up that SQL calls for every row.
struct LookedUpObjects {
  /// Those of the source that come along.
  let keys: KeySet
  let rule: KeyRule
  /// `Z_ENT` of what becomes of them.
  let entity: Int
}

extension Database {
  /// Makes a function that gives the key of what became of an object; NULL for nothing.
  func register(keyLookUp name: String, in targets: [LookedUpObjects]) throws {
    if let target = targets.first, targets.count == 1 {
      let (keys, rule) = (target.keys, target.rule)
      try register(directFunction: name, argumentCount: 1, isDeterministic: true) { arguments, result in
        // Nil reads as 0, which is nobody's key.
        let key = arguments.integer(at: 0)
        if keys.contains(key) { result.set(integer: rule.destinationKey(ofSource: key)) }
      }
      return
    }
    try register(directFunction: name, argumentCount: 1, isDeterministic: true) { arguments, result in
      let key = arguments.integer(at: 0)
      guard let target = targets.first(where: { $0.keys.contains(key) }) else { return }
      result.set(integer: target.rule.destinationKey(ofSource: key))
    }
  }

  /// Makes a function that gives the entity's number of what became of an object; NULL for nothing.
  func register(entityLookUp name: String, in targets: [LookedUpObjects]) throws {
    try register(directFunction: name, argumentCount: 1, isDeterministic: true) { arguments, result in
      let key = arguments.integer(at: 0)
      guard let target = targets.first(where: { $0.keys.contains(key) }) else { return }
      result.set(integer: Int64(target.entity))
    }
  }

  /// Makes a function that tells of the keys of a link's two objects whether both come along.
  func register(linkTest name: String, from owners: LookedUpObjects, to targets: LookedUpObjects) throws {
    let (owners, targets) = (owners.keys, targets.keys)
    try register(directFunction: name, argumentCount: 2, isDeterministic: true) { arguments, result in
      // Nil reads as 0, which is nobody's key.
      let cameAlong = owners.contains(arguments.integer(at: 0)) && targets.contains(arguments.integer(at: 1))
      result.set(integer: cameAlong ? 1 : 0)
    }
  }
}
