import HeavyliftModel

/// The effect of copying one attribute into another.
package enum AttributeCopy: Hashable, Sendable {
  /// Every value is kept exactly.
  case exact
  /// Some values do not fit, or lose precision.
  case narrowing
  /// The type cannot hold any of the values.
  case impossible

  /// Compares composites element by element, by renaming identifier or by name: neither stores nor compiled models contain the names of composite types.
  package init(
    from source: AttributeDescription, in model: ManagedObjectModel, to destination: AttributeDescription,
    in newModel: ManagedObjectModel
  ) {
    guard source.type == .composite, destination.type == .composite else {
      self.init(from: source.type, to: destination.type)
      return
    }
    let (olds, news) = (model.elements(of: source), newModel.elements(of: destination))
    if olds.isEmpty || news.isEmpty {
      self = source.compositeName == destination.compositeName ? .exact : .impossible
      return
    }
    let copies = RenamingMatch(olds, news).pairs.compactMap { pair -> AttributeCopy? in
      guard let old = pair.old else { return nil }
      return pair.new.map { AttributeCopy(from: olds[old], in: model, to: news[$0], in: newModel) } ?? .impossible
    }
    self = copies.contains(.impossible) ? .impossible : copies.contains(.narrowing) ? .narrowing : .exact
  }

  package init(from source: AttributeType, to destination: AttributeType) {
    if source == destination {
      self = .exact
      return
    }
    self =
      switch (source, destination) {
      case (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64), (.boolean, .decimal),
        (.boolean, .double), (.boolean, .float), (.integer16, .integer32), (.integer16, .integer64),
        (.integer32, .integer64), (.integer16, .decimal), (.integer32, .decimal), (.integer64, .decimal),
        (.integer16, .float), (.integer16, .double), (.integer32, .double), (.float, .double):
        .exact
      case (let old, let new) where old.isNumber && new.isNumber: .narrowing
      case (_, .undefined): .exact
      // Only the program knows how to read the bytes that a transformer wrote.
      default: .impossible
      }
  }
}

extension AttributeType {
  /// Returns true if Core Data infers a copy from the source type; such a copy keeps every value as stored.
  ///
  /// Booleans and integers share a column type, and so do floating-point numbers. Copies are inferred only to types
  /// that are at least as wide: a value that no longer fits would be lost silently. Core Data does not infer other
  /// lossless conversions, such as from an integer to a decimal.
  package func isInferred(from source: AttributeType) -> Bool {
    if self == source { return true }
    let isOneKind =
      (integerRange != nil || self == .boolean) && (source.integerRange != nil || source == .boolean)
      || [self, source].allSatisfy { $0 == .float || $0 == .double }
    return isOneKind && AttributeCopy(from: source, to: self) == .exact
  }

  /// True if values are numbers, including Booleans.
  var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
    default: false
    }
  }
}
