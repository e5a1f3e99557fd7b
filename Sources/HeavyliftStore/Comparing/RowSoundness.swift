/// Tells whether the cells of a row hold what their properties can be, where nobody compares them with anything.
package struct RowSoundness {
  /// Each held against itself.
  let attributes: [CopiedAttribute]
  /// The places of columns with keys.
  let toOnes: [Int]

  /// Whether the row on which a finder stands is seen to be sound.
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
