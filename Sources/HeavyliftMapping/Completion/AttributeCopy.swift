import HeavyliftModel

/// What copying an attribute into another does to its values.
package enum AttributeCopy: Hashable, Sendable {
  /// Nothing: every value is held as it is.
  case exact
  /// Some values cannot be held, or only less exactly.
  case narrowing
  /// The type holds nothing of what there is.
  case impossible

  package init(from source: AttributeDescription, to destination: AttributeDescription) {
    if source.type == .composite, destination.type == .composite {
      self = source.compositeName == destination.compositeName ? .exact : .impossible
      return
    }
    self.init(from: source.type, to: destination.type)
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
  /// Whether values are numbers, a Boolean among them.
  var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
    default: false
    }
  }
}
