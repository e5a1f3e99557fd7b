import HeavyliftModel

/// The statement that sets to-one relationships in the rows of an entity mapping, all together: writing a row again costs
/// more than finding its links.
package struct LinkUpdate {
  /// A to-one relationship.
  package struct Link {
    var relationship: String
    var source: String?
    var keyFunction: String
    var entityFunction: String
    var orderFunction: String?

    /// - Parameters:
    ///   - source: The relationship in the source; nil if the target is the counterpart of the source object itself.
    ///   - keyFunction: The function that returns the key of a link's target, given the source keys of the owner and the
    ///     target, or NULL to keep the target that the row has.
    ///   - entityFunction: The function that returns the target's `Z_ENT`.
    ///   - orderFunction: The function that returns true for the source key of a target whose list has the order of the
    ///     source's list; other lists are sorted by the owners' keys. Nil if there is none.
    package init(
      relationship: String, source: String?, keyFunction: String, entityFunction: String, orderFunction: String?
    ) {
      (self.relationship, self.source) = (relationship, source)
      (self.keyFunction, self.entityFunction, self.orderFunction) = (keyFunction, entityFunction, orderFunction)
    }
  }

  package let sql: String

  /// Returns nil if one of the relationships is not stored in its store's tables.
  ///
  /// - Parameter isCreatedFunction: The function that returns true for the key of an object that the mapping created.
  package init?(
    _ links: [Link], from source: StoreBlueprint, entity sourceEntity: String, to destination: StoreBlueprint,
    entity destinationEntity: String, keyOffset: Int64, isCreatedFunction: String
  ) {
    guard let old = source.layout.entity(named: sourceEntity),
      let new = destination.layout.entity(named: destinationEntity)
    else { return nil }
    var (columns, values) = ([String](), [String]())
    for link in links {
      guard let column = new.toOne(named: link.relationship) else { return nil }
      var target = "s.Z_PK"
      var oldColumn: ToOneColumn?
      if let relationship = link.source {
        guard let found = old.toOne(named: relationship) else { return nil }
        (oldColumn, target) = (found, "CAST(s.\(SQLName(found.column)) AS INTEGER)")
      }
      for (name, function) in [(column.column, link.keyFunction), (column.entityColumn, link.entityFunction)] {
        guard let name = name.map(SQLName.init) else { continue }
        columns.append("\(name)")
        values.append("ifnull(\(function)(s.Z_PK, \(target)), o.\(name))")
      }
      if let order = column.orderColumn.map(SQLName.init) {
        let byKey = OrderKeys.place(inInverseOf: nil, row: "s")
        let place =
          link.orderFunction.map {
            "CASE WHEN \($0)(\(target)) THEN \(OrderKeys.place(inInverseOf: oldColumn, row: "s")) ELSE \(byKey) END"
          } ?? byKey
        columns.append("\(order)")
        values.append("CASE WHEN \(link.keyFunction)(s.Z_PK, \(target)) IS NULL THEN o.\(order) ELSE \(place) END")
      }
    }
    sql =
      "UPDATE main.\(SQLName(new.tableName)) AS o SET (\(columns.joined(separator: ", "))) = "
      + "(SELECT \(values.joined(separator: ", ")) FROM \(SourceAttachment.name).\(SQLName(old.tableName)) s "
      + "WHERE s.Z_PK = o.Z_PK - \(keyOffset) AND \(old.numberSQL("s")) = \(old.number)) "
      + "WHERE \(new.numberSQL("o")) = \(new.number) AND \(isCreatedFunction)(o.Z_PK)"
  }
}
