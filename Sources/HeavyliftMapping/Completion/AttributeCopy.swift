import HeavyliftModel

/// What copying an attribute into another does to its values.
package enum AttributeCopy: Hashable, Sendable {
  /// Nothing: every value is held as it is.
  case exact
  /// Some values cannot be held, or only less exactly.
  case narrowing
  /// The type holds nothing of what there is.
  case impossible

  /// Composites are compared element by element: no store and no compiled model knows the name of their type.
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
    let copies = olds.map { old in
      news.first { $0.name == old.name }.map { AttributeCopy(from: old, in: model, to: $0, in: newModel) }
        ?? .impossible
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
      // The bytes of a transformable are its transformer's own: only the program knows what they are as plain data.
      default: .impossible
      }
  }
}

extension AttributeType {
  /// True if every value can be taken over as it is stored, as Core Data infers it.
  ///
  /// Booleans and integers share a kind of column, and so do floating-point numbers. Only what is at least as wide is
  /// inferred: a value that no longer fits would be lost without a word. Other conversions that lose nothing, such as from
  /// an integer to a decimal, Core Data does not infer.
  func isInferred(from source: AttributeType) -> Bool {
    if self == source { return true }
    let isOneKind =
      (integerRange != nil || self == .boolean) && (source.integerRange != nil || source == .boolean)
      || [self, source].allSatisfy { $0 == .float || $0 == .double }
    return isOneKind && AttributeCopy(from: source, to: self) == .exact
  }

  /// Whether values are numbers, a Boolean among them.
  var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
    default: false
    }
  }
}
