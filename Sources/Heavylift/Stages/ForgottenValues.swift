import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// Finds the values that the handlers of a stage did not set, although only a handler could.
///
/// The next hop drops the old values of properties that have another type, destination, kind or inverse. The new ones are
/// optional, so no rule of the model would report that they are empty.
struct ForgottenValues {
  let hop: MigrationHop
  /// The store before the hop.
  let old: PersistentStore
  let store: PersistentStore

  /// Returns a warning for each property that the handlers left empty in some of the objects with an old value.
  ///
  /// - Throws: An error for each property that no handler has set at all, not even to nil, and whose old value none has
  ///   read. A handler may find only values that it cannot convert.
  func check() throws -> [Diagnostic] {
    var (forgotten, left) = ([Diagnostic](), [Diagnostic]())
    for conversion in hop.intermediate?.conversions ?? [] {
      let (filled, empty) = try counts(of: conversion)
      guard empty > 0 else { continue }
      let property = "'\(conversion.property)' of entity \(conversion.entity.quotedName)"
      if filled == 0, !isHandled(conversion) {
        forgotten.append(
          Diagnostic(
            .error, code: "stage.forgotten-values",
            problem: "no handler sets \(property), although \(empty.counted(as: "object")) "
              + "\(empty == 1 ? "has" : "have") an old value in '\(conversion.old)', which would be lost",
            remedy: "set it from the old value; if the old values are not needed, set it to nil"))
      } else {
        left.append(
          Diagnostic(
            .warning, code: "stage.empty-values",
            problem: "the handlers left \(property) empty in \(empty.counted(as: "object")) with an old value in "
              + "'\(conversion.old)', which is dropped"))
      }
    }
    guard forgotten.isEmpty else { throw DiagnosticList(forgotten) }
    return left + (try repeatedDefaults())
  }

  // MARK: Old values

  private func isHandled(_ conversion: IntermediateModel.Conversion) -> Bool {
    let isSetOrRead = store.handledProperties?.contains { entity, name in
      [conversion.property, conversion.old].contains(name) && isKind(entity, of: conversion.entity)
    }
    let isReadBefore = old.handledProperties?.contains { entity, name in
      guard let kept = hop.intermediate?.name(ofSourceEntity: entity) else { return false }
      return hop.intermediate?.name(ofSourceProperty: name, in: entity) == conversion.old
        && isKind(kept, of: conversion.entity)
    }
    return isSetOrRead == true || isReadBefore == true
  }

  private func isKind(_ entity: String, of ancestor: String) -> Bool {
    store.model.entity(named: entity).map { store.model.entity($0, isKindOf: ancestor) } == true
  }

  /// Returns the numbers of objects with an old value that have a new one, and that have none.
  private func counts(of conversion: IntermediateModel.Conversion) throws -> (filled: Int, empty: Int) {
    var (filled, empty) = (0, 0)
    for layout in store.layout.entities where isKind(layout.name, of: conversion.entity) {
      guard let old = layout.condition(forValueOf: conversion.old),
        let new = layout.condition(forValueOf: conversion.property)
      else { continue }
      var cursor = try store.database.prepare(
        "SELECT total(\(new)), total(NOT (\(new))) FROM \(layout.tableName.asSQLIdentifier) t "
          + "WHERE \(layout.numberSQL("t")) = \(layout.number) AND (\(old))"
      ).query()
      guard try cursor.next() else { continue }
      filled += Int(cursor.row.double(at: 0))
      empty += Int(cursor.row.double(at: 1))
    }
    return (filled, empty)
  }

  // MARK: Repeated defaults

  /// Returns a warning for each new attribute whose initial value should differ, but is the same in several objects.
  private func repeatedDefaults() throws -> [Diagnostic] {
    let context = ManagedObjectContext(store: store)
    let contained = hop.destinationModel.varyingDefaults.filter { store.layout.entity(named: $0.key) != nil }
    return try contained.sorted { $0.key < $1.key }.flatMap { entity, names in
      try names.sorted().compactMap { name -> Diagnostic? in
        guard let attribute = hop.destinationModel.entity(named: entity)?.attribute(named: name),
          attribute.type != .composite, attribute.type != .date, !attribute.isTransient, isNew(attribute, of: entity)
        else { return nil }
        let request = try FetchRequest(
          entityName: entity, where: "%K == %@", name, attribute.defaultValue)
        let count = try context.count(for: request)
        guard count > 1 else { return nil }
        return Diagnostic(
          .warning, code: "stage.one-value-for-all",
          problem: "\(count.grouped) objects of entity \(entity.quotedName) have the same value of '\(name)', "
            + "whose initial value should differ for each object: no handler has set it",
          remedy: "set it for each object in a handler")
      }
    }
  }

  private func isNew(_ attribute: AttributeDescription, of entity: String) -> Bool {
    let difference = ModelDifference(from: hop.sourceModel, to: hop.destinationModel)
    guard let changes = difference.entity(named: entity), changes.oldName != nil else { return false }
    return changes.properties.contains { $0.newName == attribute.name && $0.oldName == nil }
  }
}

extension EntityLayout {
  /// Returns an SQL condition that is true for rows with a value or a target of a property; the row's table is `t`. Nil if
  /// the entity has no such property.
  fileprivate func condition(forValueOf property: String) -> String? {
    if let attribute = attributes.first(where: { $0.name == property }) {
      return attribute.leafColumns.map { "t.\($0.asSQLIdentifier) IS NOT NULL" }.joined(separator: " OR ")
    }
    if let column = toOnes.first(where: { $0.name == property })?.column {
      return "t.\(column.asSQLIdentifier) IS NOT NULL"
    }
    guard let storage = toManys.first(where: { $0.name == property }) else { return nil }
    let (table, owner) = (storage.tableName.asSQLIdentifier, storage.ownerColumn.asSQLIdentifier)
    let other = storage.isReflexive ? " OR x.\(storage.targetColumn.asSQLIdentifier) = t.Z_PK" : ""
    return "EXISTS (SELECT 1 FROM \(table) x WHERE x.\(owner) = t.Z_PK\(other))"
  }
}
