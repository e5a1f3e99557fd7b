extension IndexLayout {
  /// A query for the values that occur more than once although they must be unique: the key of the first row and the
  /// number of rows, as `first` and `number`. A combination with a missing value counts as unique.
  package var repeatedValues: String {
    let columns = columns.map { "\($0.name.asSQLIdentifier) COLLATE BINARY" }
    let present = self.columns.map { "\($0.name.asSQLIdentifier) IS NOT NULL" }.joined(separator: " AND ")
    return "SELECT min(Z_PK) AS first, count(*) AS number FROM \(tableName.asSQLIdentifier) WHERE \(present) "
      + "GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1"
  }
}
