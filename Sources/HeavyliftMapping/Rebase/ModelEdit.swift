public import HeavyliftModel

/// One of a mapping's models: as it was when the mapping was written, and as it is.
public struct ModelEdit: Sendable {
  /// Nil if it is not known any more.
  public var old: ManagedObjectModel?
  /// The model of today.
  public var new: ManagedObjectModel

  /// Creates an edit.
  public init(from old: ManagedObjectModel?, to new: ManagedObjectModel) {
    self.old = old
    self.new = new
  }

  /// A model that is what it was.
  public static func unchanged(_ model: ManagedObjectModel) -> ModelEdit { ModelEdit(from: model, to: model) }
}
