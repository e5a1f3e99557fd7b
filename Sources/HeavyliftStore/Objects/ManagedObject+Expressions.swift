import HeavyliftExpression
import HeavyliftModel

/// Gives expressions access to the attributes and the relationships of objects.
extension ManagedObject: ExpressionObject {
  /// Returns the value of a key: an attribute's value, the target of a to-one relationship or nil, or the targets of a
  /// to-many relationship as a set or an ordered set.
  ///
  /// Without an explicit `ExpressionValue` type, Swift chooses the overload that returns a `Value`.
  ///
  /// An object that a dangling link leads to has no values.
  @_disfavoredOverload
  public func value(forKey key: String) throws -> ExpressionValue {
    try unlessMissing(.null) { try storedValue(forKey: key) }
  }

  private func storedValue(forKey key: String) throws -> ExpressionValue {
    switch runtime.slots[key] {
    case .attribute: return ExpressionValue(try value(forKey: key) as Value)
    case .toOne: return try object(forKey: key).map { .object($0) } ?? .null
    case .toMany(let slot):
      let targets = DistinctValues(try objects(forKey: key).map { .object($0) })
      return runtime.toManys[slot].description.isOrdered ? .orderedSet(targets) : .set(targets)
    case nil:
      if let value = standardValue(forKey: key) { return value }
      throw EvaluationMistake.unknownKey(key, kind: "entity '\(runtime.name)'", known: runtime.propertyNames)
    }
  }

  /// Returns the value of a key by its slot, which `PersistentStore.shape(ofEntity:)` provides.
  public func value(forKey key: String, at slot: ExpressionSlot) throws -> ExpressionValue {
    try unlessMissing(.null) { try storedValue(forKey: key, at: slot) }
  }

  private func storedValue(forKey key: String, at slot: ExpressionSlot) throws -> ExpressionValue {
    // Sub-entities have the slots of their parents at the same indexes, followed by their own.
    guard slot.owner == runtime.shapeOwner || runtime.ancestors.contains(slot.owner) else {
      return try storedValue(forKey: key)
    }
    let number = slot.number >> 2
    switch slot.number & 3 {
    case 0:
      if let value = try value(at: number) { return ExpressionValue(value) }
      return ExpressionValue(try attributeValue(forKey: key))
    case 1:
      let context = try livingContext()
      let target = try targetKey(at: number)
      if target == 0 { return .null }
      return .object(try context.object(target, destination: runtime.toOnes[number].destination))
    default: return try storedValue(forKey: key)
    }
  }

  /// Returns the value of a key by its slot if it is a number, a Boolean or nil.
  public func scalar(forKey key: String, at slot: ExpressionSlot) throws -> ExpressionScalar {
    guard slot.number & 3 == 0, slot.owner == runtime.shapeOwner || runtime.ancestors.contains(slot.owner) else {
      return ExpressionScalar(try value(forKey: key, at: slot))
    }
    return try unlessMissing(ExpressionScalar(ExpressionValue.null)) {
      if let value = try value(at: slot.number >> 2) { return ExpressionScalar(value) }
      return ExpressionScalar(try attributeValue(forKey: key))
    }
  }

  /// Returns a default if the object's row is not in the store, as SQL does. In a store under construction, that is a
  /// mistake of a policy.
  private func unlessMissing<Result>(_ missing: @autoclosure () -> Result, _ read: () throws -> Result) throws -> Result
  {
    do {
      return try read()
    } catch let error as Diagnostic
      where isFault && context?.isBulkLoading != true && error.code == "store.missing-object"
    {
      return missing()
    }
  }
}
