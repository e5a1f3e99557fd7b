/// One statement that writes the to-one relationships of all objects that one entity mapping has made.
package struct LinkFilling {
  /// What a relationship leads to.
  package struct Link {
    var relationship: String
    /// Nil for the source object itself.
    var sourceRelationship: String?
    var keyFunction: String
    var entityFunction: String

    /// - Parameters:
    ///   - keyFunction: Gives the target's key for a source key; NULL for nothing.
    ///   - entityFunction: Gives its `Z_ENT`.
    package init(relationship: String, sourceRelationship: String?, keyFunction: String, entityFunction: String) {
      (self.relationship, self.sourceRelationship) = (relationship, sourceRelationship)
      (self.keyFunction, self.entityFunction) = (keyFunction, entityFunction)
    }
  }

  package let sql: String

  /// Nil where one of the relationships is not a column.
  ///
  /// - Parameters:
  ///   - offset: The difference between an object's key and its source's.
  ///   - isMadeFunction: Tells of a destination key whether the mapping has made the object.
  package init?(
    from source: StoreBlueprint, entity: String, to destination: StoreBlueprint, entity destinationEntity: String,
    offset: Int64, isMadeFunction: String, links: [Link]
  ) {
    guard let old = source.layout.entity(named: entity), let new = destination.layout.entity(named: destinationEntity),
      !links.isEmpty
    else { return nil }
    var (columns, values): ([String], [String]) = ([], [])
    for link in links {
      guard let column = new.toOne(named: link.relationship) else { return nil }
      var key = "s.Z_PK"
      if let relationship = link.sourceRelationship {
        guard let from = old.toOne(named: relationship) else { return nil }
        // As rows are read: whatever is there, as an integer.
        key = "CAST(s.\(SQLName(from.column)) AS INTEGER)"
      }
      columns.append(SQLName(column.column).description)
      values.append("\(link.keyFunction)(\(key))")
      if let entityColumn = column.entityColumn {
        columns.append(SQLName(entityColumn).description)
        values.append("\(link.entityFunction)(\(key))")
      }
    }
    let names = columns.count == 1 ? columns[0] : "(\(columns.joined(separator: ", ")))"
    sql =
      "UPDATE main.\(SQLName(new.tableName)) AS o SET \(names) = (SELECT \(values.joined(separator: ", ")) FROM "
      + "\(SourceAttachment.name).\(SQLName(old.tableName)) s WHERE s.Z_PK = o.Z_PK - \(offset)) "
      + "WHERE o.Z_ENT = \(new.number) AND \(isMadeFunction)(o.Z_PK)"
  }
}
