import HeavyliftModel

/// The source and the destination model of a mapping, made ready for looking names up.
///
/// They follow from the models and say nothing of their own: any two are equal.
struct ModelIndexes: Sendable {
  let source: ModelIndex
  let destination: ModelIndex
}

extension ModelIndexes: Hashable {
  static func == (left: ModelIndexes, right: ModelIndexes) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
