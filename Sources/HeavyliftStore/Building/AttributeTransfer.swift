import HeavyliftModel

/// Copies one attribute from objects of one store into new objects of another, made ready once for many objects.
///
/// A value in an external file stays there: the file is taken over as a whole, without its bytes being read.
package final class AttributeTransfer {
  private let source: EntityRuntime
  private let sourceSlot: Int
  private let place: AttributePlace
  private let valueMove: AttributeMove
  private let keepsFiles: Bool

  /// Nil where there is no such attribute at one end, or the one at the other end is not to be written.
  package init?(
    from source: PersistentStore, entity: String, attribute: String, to destination: PersistentStore,
    entity destinationEntity: String, attribute destinationAttribute: String
  ) {
    guard let from = source.runtime.byName[entity], case .attribute(let fromSlot)? = from.slots[attribute],
      let place = AttributePlace(of: destinationAttribute, entity: destinationEntity, in: destination)
    else { return nil }
    let (old, new) = (from.attributes[fromSlot], place.attribute)
    (self.source, sourceSlot, self.place) = (from, fromSlot, place)
    let isExact = old.type == new.type && old.type != .composite && old.type != .undefined
    valueMove = AttributeMove(source: fromSlot, destination: place.slot, conversion: isExact ? nil : new.type)
    keepsFiles = old.column?.mayBeExternal == true && new.column?.mayBeExternal == true && old.type == new.type
  }

  /// Copies; false where an object is of another entity than this was made ready for, or the attribute cannot hold the
  /// value, which then stays as it was.
  package func copy(from object: ManagedObject, to new: ManagedObject) throws -> Bool {
    guard object.runtime === source || object.runtime.ancestors.contains(source.shapeOwner), place.fits(new) else {
      return false
    }
    if let value = try object.value(at: sourceSlot) { return try set(value, of: new) }
    if let file = object.externalFiles[sourceSlot], keepsFiles, new.isNew {
      return try take(file, of: object, into: new)
    }
    return try set(object.attributeValue(forKey: source.attributes[sourceSlot].description.name), of: new)
  }

  /// The move of a value that is a column at both ends; nil for anything else.
  fileprivate var move: (from: EntityRuntime, place: AttributePlace, move: AttributeMove)? {
    guard place.isPlain, let column = source.attributes[sourceSlot].column, column.type != .composite,
      !column.mayBeExternal
    else { return nil }
    return (source, place, valueMove)
  }

  /// Whether `AttributeTransfers` can copy the attribute along with others.
  package var isMove: Bool { move != nil }

  /// True if the two attributes have different types.
  package var isConverting: Bool { valueMove.conversion != nil }

  private func set(_ value: Value, of new: ManagedObject) throws -> Bool {
    guard let held = valueMove.held(value) else { return false }
    try place.set(held, of: new)
    return true
  }

  private func take(_ file: String, of object: ManagedObject, into new: ManagedObject) throws -> Bool {
    let (from, to) = (try object.livingContext().store, try new.livingContext().store)
    new.attributes[place.slot] = .null
    new.externalFiles[place.slot] = try to.externalData.take(file, from: from.externalData)
    return true
  }
}

/// A value that goes from an attribute's slot to another's.
struct AttributeMove {
  let source: Int
  let destination: Int
  /// The type that it must be converted to; nil where it is as it is to be.
  let conversion: AttributeType?

  /// The value as it is held there; nil where it cannot be.
  @inline(__always)
  func held(_ value: Value) -> Value? {
    guard let conversion else { return value }
    return value.converted(to: conversion)
  }
}

/// Copies several attributes at once from rows on which a query stands, into new objects that nobody has seen so far.
package final class AttributeTransfers {
  private let source: EntityRuntime
  private let place: AttributePlace
  let moves: [AttributeMove]

  /// Nil where there is nothing to copy, or not all of it can be copied along.
  package init?(_ transfers: [AttributeTransfer]) {
    let parts = transfers.compactMap(\.move)
    guard let first = parts.first, parts.count == transfers.count,
      parts.allSatisfy({ $0.from === first.from && $0.place.isOfSameEntity(as: first.place) })
    else { return nil }
    (source, place, moves) = (first.from, first.place, parts.map(\.move))
  }

  /// Copies; false where nothing was copied, and each attribute must be looked at by itself.
  package func copy(from object: ManagedObject, to new: ManagedObject) -> Bool {
    guard object.runtime === source, object.isFault, let row = object.row, new.isNew, new.externalFiles.isEmpty,
      place.fits(new)
    else { return false }
    var values = new.attributes
    do {
      guard try row.copy(moves, into: &values) else { return false }
    } catch {
      // Found again, and told, by whoever copies one after the other.
      return false
    }
    new.attributes = values
    return true
  }
}
