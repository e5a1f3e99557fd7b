import HeavyliftModel

/// Copies an attribute from objects of one store to new objects of another, prepared once for many objects.
///
/// A value in an external file stays in one: the file is linked or copied, and its bytes are not read.
package final class AttributeTransfer {
  private let source: EntityRuntime
  private let sourceSlot: Int
  private let target: AttributeSlot
  private let valueMove: AttributeMove
  private let keepsFiles: Bool
  /// The sources of a composite's elements; nil if they all have the names that they had.
  private let composite: CompositeCopy?

  /// Returns nil if one of the stores does not have the attribute, or if the destination's attribute is derived.
  package init?(
    from source: PersistentStore, entity: String, attribute: String, to destination: PersistentStore,
    entity destinationEntity: String, attribute destinationAttribute: String
  ) {
    guard let from = source.runtime.byName[entity], case .attribute(let fromSlot)? = from.slots[attribute],
      let target = AttributeSlot(of: destinationAttribute, entity: destinationEntity, in: destination)
    else { return nil }
    let (old, new) = (from.attributes[fromSlot], target.attribute)
    (self.source, sourceSlot, self.target) = (from, fromSlot, target)
    let isExact = old.type == new.type && old.type != .composite && old.type != .undefined
    valueMove = AttributeMove(source: fromSlot, destination: target.slot, conversion: isExact ? nil : new.type)
    let composite =
      new.type == .composite
      ? CompositeCopy(from: old.description, in: from.model, to: new.description, in: target.entity.model) : nil
    self.composite = composite?.isPlain == false ? composite : nil
    keepsFiles = old.column?.mayBeExternal == true && new.column?.mayBeExternal == true && old.type == new.type
  }

  /// Copies the value. Returns false if an object is not of the entity that this was prepared for, or if the new
  /// attribute cannot hold the value. The new object then stays unchanged.
  package func copy(from object: ManagedObject, to new: ManagedObject) throws -> Bool {
    guard object.runtime === source || object.runtime.ancestors.contains(source.shapeOwner), target.fits(new) else {
      return false
    }
    if let value = try object.value(at: sourceSlot) { return try set(value, of: new) }
    if let file = object.externalFiles[sourceSlot], keepsFiles, new.isNew {
      return try take(file, of: object, into: new)
    }
    return try set(object.attributeValue(forKey: source.attributes[sourceSlot].description.name), of: new)
  }

  /// The move of a value that is a single column in both stores; nil for anything else.
  fileprivate var move: (from: EntityRuntime, target: AttributeSlot, move: AttributeMove)? {
    guard target.isPlain, let column = source.attributes[sourceSlot].column, column.type != .composite,
      !column.mayBeExternal
    else { return nil }
    return (source, target, valueMove)
  }

  /// True if `AttributeTransfers` can copy the attribute together with others.
  package var isMove: Bool { move != nil }

  /// True if the two attributes have different types.
  package var isConverting: Bool { valueMove.conversion != nil }

  /// Returns the value with the elements that a composite has in the new version.
  package func adapted(_ value: Value) -> Value { composite?.value(value) ?? value }

  private func set(_ value: Value, of new: ManagedObject) throws -> Bool {
    guard let held = valueMove.held(adapted(value)) else { return false }
    try target.set(held, of: new)
    return true
  }

  private func take(_ file: String, of object: ManagedObject, into new: ManagedObject) throws -> Bool {
    let (from, to) = (try object.livingContext().store, try new.livingContext().store)
    new.setHeld(.null, at: target.slot)
    new.externalFiles[target.slot] = try to.externalData.take(file, from: from.externalData)
    return true
  }
}

/// Copies a value from one attribute's slot to another's.
struct AttributeMove {
  let source: Int
  let destination: Int
  /// The type to convert the value to; nil if it needs no conversion.
  let conversion: AttributeType?

  /// Returns the value for the destination's slot; nil if it cannot be converted.
  @inline(__always)
  func held(_ value: Value) -> Value? {
    guard let conversion else { return value }
    return value.converted(to: conversion)
  }
}

/// Copies several attributes at once from the current row of a query to new objects that no policy has seen yet.
package final class AttributeTransfers {
  private let source: EntityRuntime
  private let target: AttributeSlot
  let moves: [AttributeMove]

  /// Returns nil if there is nothing to copy, or if some of the attributes cannot be copied together.
  package init?(_ transfers: [AttributeTransfer]) {
    let parts = transfers.compactMap(\.move)
    guard let first = parts.first, parts.count == transfers.count,
      parts.allSatisfy({ $0.from === first.from && $0.target.isOfSameEntity(as: first.target) })
    else { return nil }
    (source, target, moves) = (first.from, first.target, parts.map(\.move))
  }

  /// Copies the values. Returns false if nothing was copied, and each attribute must be copied separately.
  package func copy(from object: ManagedObject, to new: ManagedObject) -> Bool {
    guard object.runtime === source, object.isFault, let row = object.row, new.isNew, !new.hasExternalFiles,
      target.fits(new)
    else { return false }
    var values = new.attributes
    do {
      guard try row.copy(moves, into: &values) else { return false }
    } catch {
      // Copying the attributes separately fails again, and reports the error.
      return false
    }
    new.attributes = values
    return true
  }
}
