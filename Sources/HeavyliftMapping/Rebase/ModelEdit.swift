import HeavyliftModel

/// One of a mapping's models, before and after an edit.
package struct ModelEdit: Sendable {
  /// The model that the mapping was written for; nil if it is no longer known.
  package var old: ManagedObjectModel?
  /// The current model.
  package var new: ManagedObjectModel

  /// Creates an edit.
  package init(from old: ManagedObjectModel?, to new: ManagedObjectModel) {
    self.old = old
    self.new = new
  }

  /// Creates an edit without changes.
  package static func unchanged(_ model: ManagedObjectModel) -> ModelEdit { ModelEdit(from: model, to: model) }
}
