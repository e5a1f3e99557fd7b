/// Checks that the cells of a row hold valid values, for properties that are not compared with anything.
package struct RowSoundness {
  /// Each attribute, paired with itself.
  let attributes: [CopiedAttribute]
  /// The indexes of columns with keys.
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
