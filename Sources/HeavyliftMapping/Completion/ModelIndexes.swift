import HeavyliftModel

/// The source and the destination model of a mapping, indexed by name.
///
/// The indexes are derived from the models, which are compared separately, so any two instances count as equal.
struct ModelIndexes: Sendable {
  let source: ModelIndex
  let destination: ModelIndex
}

extension ModelIndexes: Hashable {
  static func == (left: ModelIndexes, right: ModelIndexes) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
