import HeavyliftModel

extension PropertyReference {
  /// Describes the old and new shape if an expression for the old property no longer fits; nil if it still does.
  func changedShape(to new: PropertyReference) -> (old: String, new: String)? {
    let same: Bool =
      switch (self, new) {
      case (.attribute(let one), .attribute(let other)) where one.type == .composite && other.type == .composite:
        one.compositeName == other.compositeName
      case (.attribute(let one), .attribute(let other)): AttributeCopy(from: one.type, to: other.type) == .exact
      case (.relationship(let one), .relationship(let other)): one.isToMany == other.isToMany
      case (.fetched, .fetched): true
      default: false
      }
    return same ? nil : (shape, new.shape)
  }

  private var shape: String {
    switch self {
    case .attribute(let attribute) where attribute.type == .composite:
      "a composite \((attribute.compositeName ?? "").quotedName)"
    case .attribute(let attribute): "of type \(attribute.type.modelName)"
    case .relationship(let relationship): relationship.isToMany ? "a to-many relationship" : "a to-one relationship"
    case .fetched: "a fetched property"
    }
  }
}
