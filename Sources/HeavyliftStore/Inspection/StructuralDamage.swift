import HeavyliftModel

/// Damage to the structure of a store: to rows and links as such, not to the values in them.
///
/// ```swift
/// for damage in report.damage { print(damage.kind.rawValue, damage.table, damage.count) }
/// ```
public struct StructuralDamage: Hashable, Sendable {
  /// The kind of damage.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// `Z_ENT` of a row belongs to no entity of the table: no fetch finds the row.
    case foreignRow
    /// `Z_PK` is not a positive integer.
    case invalidKey
    /// `Z_OPT`, which counts saves, is not a positive integer.
    case invalidSaveCount
    /// `Z_MAX` in `Z_PRIMARYKEY` is lower than the highest key in use: a later save would overwrite rows.
    case lowHighestKey
    /// The entity number of a link is not the `Z_ENT` of the target's row.
    case wrongEntityNumber
    /// A link leads to a row that does not exist.
    case danglingLink
    /// The two ends of a one-to-one relationship contradict each other.
    case contradictoryLink
    /// A column that stores a property of another entity of the hierarchy has a value: no object shows it.
    case strayValue
    /// `Z_SUPER` in `Z_PRIMARYKEY` is not the number of the entity's parent.
    case wrongParent
  }

  /// The rule that the rows or links break.
  public var kind: Kind
  /// The table of the rows, or the one that stores the links.
  public var table: String
  /// The column of the link or the stray value, for a contradictory link the relationship, and for a wrong parent the
  /// entity; `nil` for damage to rows.
  public var property: String?
  /// The number of rows or links.
  public var count: Int
  /// The keys of the first rows; in a join table, of the links' owners. Empty for contradictory links and wrong parents.
  public var examples: [Int64]

  /// Creates an entry.
  public init(kind: Kind, table: String, property: String? = nil, count: Int, examples: [Int64] = []) {
    (self.kind, self.table, self.property) = (kind, table, property)
    (self.count, self.examples) = (count, examples)
  }
}

extension StructuralDamage {
  /// The place, the number and the kind of damage, in words.
  package var summary: String {
    "\([table, property].compactMap(\.self).joined(separator: ".")): \(count.grouped) × \(kind.problem)"
  }
}

extension StructuralDamage.Kind {
  fileprivate var problem: String {
    switch self {
    case .foreignRow: "Z_ENT belongs to no entity of the table"
    case .invalidKey: "Z_PK is not a positive integer"
    case .invalidSaveCount: "Z_OPT is not a positive integer"
    case .lowHighestKey: "Z_MAX is lower than the highest key in use"
    case .wrongEntityNumber: "the entity number of a link is not its target's"
    case .danglingLink: "a link leads to no row"
    case .contradictoryLink: "the other end of a one-to-one link contradicts it"
    case .strayValue: "a row of another entity has a value in this column"
    case .wrongParent: "Z_SUPER is not the number of the entity's parent"
    }
  }
}
