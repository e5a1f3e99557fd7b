public import HeavyliftModel

/// One of a mapping's models, before and after an edit.
public struct ModelEdit: Sendable {
  /// The model that the mapping was written for; nil if it is no longer known.
  public var old: ManagedObjectModel?
  /// The current model.
  public var new: ManagedObjectModel

  /// Creates an edit.
  public init(from old: ManagedObjectModel?, to new: ManagedObjectModel) {
    self.old = old
    self.new = new
  }

  /// Creates an edit without changes.
  public static func unchanged(_ model: ManagedObjectModel) -> ModelEdit { ModelEdit(from: model, to: model) }
}
