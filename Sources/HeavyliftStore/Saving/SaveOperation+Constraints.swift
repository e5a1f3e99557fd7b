import HeavyliftModel
import HeavyliftSQLite

extension SaveOperation {
  /// Sets the changing columns of uniqueness constraints to null before the new values are written.
  ///
  /// SQLite checks each row as it is written, so two objects that swap their values would conflict, although the
  /// result is valid.
  func vacateConstraints() throws {
    for object in updated {
      guard let committed = object.committed else { continue }
      let columns = constrainedNames(of: object.runtime).compactMap { name -> String? in
        switch object.runtime.slots[name] {
        case .attribute(let slot)? where object.isChanged(slot, since: committed):
          object.runtime.attributes[slot].column?.column
        case .toOne(let slot)? where object.toOnes[slot] != committed.toOnes[slot]:
          object.runtime.toOnes[slot].column?.column
        default: nil
        }
      }
      guard !columns.isEmpty else { continue }
      let assignments = columns.map { "\(SQLName($0)) = NULL" }.joined(separator: ", ")
      try database.run(
        "UPDATE \(SQLName(object.runtime.layout.tableName)) SET \(assignments) WHERE Z_PK = ?", .integer(object.key))
    }
  }

  private func constrainedNames(of entity: EntityRuntime) -> [String] {
    let constraints = store.model.lineage(of: entity.description).flatMap(\.uniquenessConstraints)
    return Set(constraints.flatMap(\.propertyNames)).sorted()
  }
}
