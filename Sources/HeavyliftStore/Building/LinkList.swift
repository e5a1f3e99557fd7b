/// The links that the objects of one entity mapping are to have, in the order in which objects would set them.
///
/// A temporary table `owner, target, entity`, all of the destination: a target may be found through several mappings, and
/// come of several sources. Tables stay until the connection closes: SQLite drops none while any statement reads, and one
/// holds the state of the source.
package struct LinkList {
  /// One for each way to look it up.
  static func table(_ indexes: Set<LinkWriting.Index>) -> String { "temp.\(name(indexes))" }

  private static func name(_ indexes: Set<LinkWriting.Index>) -> String {
    "heavylift_link" + (indexes.contains(.owner) ? "_owner" : "") + (indexes.contains(.target) ? "_target" : "")
  }

  private static let recorded = "temp.heavylift_recorded"

  /// An entity mapping through which a relationship leads.
  package struct Target {
    /// Tells recorded objects of one mapping from those of another.
    package var number: Int
    /// Gives the key of what a source key's object became by itself, or NULL; nil where that cannot be.
    package var function: String?
    /// `Z_ENT` of what came about by itself.
    package var entity: Int
    /// Whether objects were written down with `record`.
    package var hasRecorded: Bool

    package init(number: Int, function: String?, entity: Int, hasRecorded: Bool) {
      (self.number, self.function, self.entity, self.hasRecorded) = (number, function, entity, hasRecorded)
    }
  }

  /// Makes room for what is written down.
  package static let makingRecords = """
    CREATE TEMP TABLE IF NOT EXISTS heavylift_recorded (
      step INTEGER, source INTEGER, number INTEGER, target INTEGER, entity INTEGER,
      PRIMARY KEY (step, source, number)) WITHOUT ROWID;
    DELETE FROM \(recorded)
    """

  /// Writes down what came of a source key: step, source key, number, key, `Z_ENT`.
  package static let record = "INSERT OR REPLACE INTO \(recorded) VALUES (?, ?, ?, ?, ?)"

  /// The statements that fill the table.
  ///
  /// - Parameter ownerFunction: Gives the key of what became of the object that a link starts from; NULL for nothing.
  package static func filling(
    from source: LinkSource, ownerFunction: String, targets: [Target], indexes: Set<LinkWriting.Index>
  ) -> [String] {
    var parts: [String] = []
    for target in targets {
      if let function = target.function {
        parts.append(
          "SELECT \(ownerFunction)(l.owner) AS owner, \(function)(l.target) AS target, \(target.entity) AS entity, "
            + "l.place AS place, l.target AS source, \(target.number) AS step, 0 AS number FROM (\(source.sql)) l")
      }
      if target.hasRecorded {
        parts.append(
          "SELECT \(ownerFunction)(l.owner) AS owner, r.target AS target, r.entity AS entity, l.place AS place, "
            + "l.target AS source, \(target.number) AS step, r.number AS number FROM (\(source.sql)) l "
            + "JOIN \(recorded) r ON r.step = \(target.number) AND r.source = l.target")
      }
    }
    let (table, name) = (table(indexes), name(indexes))
    var statements = [
      "CREATE TEMP TABLE IF NOT EXISTS \(name) "
        + "(number INTEGER PRIMARY KEY, owner INTEGER, target INTEGER, entity INTEGER)"
    ]
    if indexes.contains(.owner) {
      statements.append("CREATE INDEX IF NOT EXISTS temp.\(name)_by_owner ON \(name) (owner, target)")
    }
    if indexes.contains(.target) {
      statements.append("CREATE INDEX IF NOT EXISTS temp.\(name)_by_target ON \(name) (target, owner)")
    }
    statements.append("DELETE FROM \(table)")
    if !parts.isEmpty {
      statements.append(
        "INSERT INTO \(table) (owner, target, entity) SELECT owner, target, entity FROM ("
          + parts.joined(separator: " UNION ALL ") + ") WHERE owner IS NOT NULL AND target IS NOT NULL "
          + "ORDER BY owner, place, source, step, number")
    }
    return statements
  }

  /// Gives back the room that a list takes.
  package static func emptying(_ indexes: Set<LinkWriting.Index>) -> String { "DELETE FROM \(table(indexes))" }
}
