/// Checks that a row holds valid values for the properties that are not compared with another store.
package struct RowSoundness {
  /// The attributes to check. Comparing a value with itself shows whether it is valid.
  let attributes: [CopiedAttribute]
  /// The indexes of the columns that hold the keys of to-one targets.
  let toOnes: [Int]

  /// Returns true if the finder's current row is certainly valid.
  package func holds(for finder: RowFinder) -> Bool {
    for position in toOnes {
      switch finder.row.statement.row.type(at: position) {
      case .null: continue
      case .integer where finder.row.statement.row.integer(at: position) > 0: continue
      default: return false
      }
    }
    return attributes.allSatisfy { $0.isSame(finder.row, finder) }
  }
}
