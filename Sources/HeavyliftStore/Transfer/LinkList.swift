/// The links of all objects of one entity mapping, in the order in which they would be set object by object.
///
/// They are in a temporary table with the columns `owner`, `target` and `entity`, all of the destination. A link can be
/// in it twice: its target may be found through several mappings, or be the counterpart of several source objects.
/// Tables remain until the connection is closed, because SQLite drops none while a statement is reading, and one
/// statement keeps the source's snapshot open.
package struct LinkList {
  /// The name of the table with the given indexes.
  static func table(_ indexes: Set<LinkWriting.Index>) -> String { "temp.\(name(indexes))" }

  private static func name(_ indexes: Set<LinkWriting.Index>) -> String {
    "heavylift_link" + (indexes.contains(.owner) ? "_owner" : "") + (indexes.contains(.target) ? "_target" : "")
  }

  private static let recorded = "temp.heavylift_recorded"

  /// An entity mapping that creates targets of the relationship.
  package struct Target {
    /// Identifies the mapping among the recorded associations.
    package var number: Int
    /// The function that returns the key of the counterpart that the mapping itself has created for a source key, or
    /// NULL; nil if there are no such counterparts.
    package var function: String?
    /// `Z_ENT` of the counterparts that the mapping itself creates.
    package var entity: Int
    /// True if associations made by a policy were recorded with `record`.
    package var hasRecorded: Bool

    package init(number: Int, function: String?, entity: Int, hasRecorded: Bool) {
      (self.number, self.function, self.entity, self.hasRecorded) = (number, function, entity, hasRecorded)
    }
  }

  /// Creates or empties the table of recorded associations.
  package static let makingRecords = """
    CREATE TEMP TABLE IF NOT EXISTS heavylift_recorded (
      step INTEGER, source INTEGER, number INTEGER, target INTEGER, entity INTEGER,
      PRIMARY KEY (step, source, number)) WITHOUT ROWID;
    DELETE FROM \(recorded)
    """

  /// Records an association of a policy: the mapping's number, the source key, the association's number, the target's
  /// key and its `Z_ENT`.
  package static let record = "INSERT OR REPLACE INTO \(recorded) VALUES (?, ?, ?, ?, ?)"

  /// Returns the statements that fill the table.
  ///
  /// - Parameter ownerFunction: The function that returns the key of the counterpart of a link's owner, or NULL if the
  ///   owner has none.
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

  /// Empties a list that is no longer needed, so that its pages can be reused.
  package static func emptying(_ indexes: Set<LinkWriting.Index>) -> String { "DELETE FROM \(table(indexes))" }
}
