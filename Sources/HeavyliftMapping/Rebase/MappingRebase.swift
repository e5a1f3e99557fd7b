import HeavyliftModel

/// Updates a mapping for models that were edited after it was written.
///
/// ```swift
/// let rebase = MappingRebase(
///   mapping, source: .unchanged(music1), destination: ModelEdit(from: music2, to: music2Edited))
/// for conflict in rebase.conflicts { print(conflict) }
/// try MappingWriter.write(rebase.mappingModel, to: file)
/// ```
///
/// Everything renamed with a renaming identifier is renamed in the mapping: entities, properties, keys in expressions
/// and filters (also along relationships), and names of entity mappings and entities in function arguments. If a
/// property or an entity was copied by name but no longer would be, its mapping is written out. Everything else stays as
/// written.
///
/// A change that cannot be resolved is a conflict. The mapping keeps the original text, preceded by a comment that
/// starts with `rebase:`. As long as there is such a comment, `MappingModel.openConflicts` is not empty and the check
/// refuses the mapping.
package struct MappingRebase: Sendable {
  /// The mapping for the new models.
  package let mappingModel: MappingModel
  /// The conflicts to resolve, in the order of the file that the mapping was read from.
  package let conflicts: [Diagnostic]
  /// Notes about new entities that the mapping does not mention.
  package let notes: [Diagnostic]
  /// The differences from the original mapping.
  package let changes: MappingDifference

  /// Updates a mapping for edited models.
  package init(_ mapping: MappingModel, source: ModelEdit, destination: ModelEdit) {
    let spelledOut = SpelledOutEntities(mapping, source: source, destination: destination)
    let work = RebaseWork(spelledOut.mapping, source: source, destination: destination)
    mappingModel = spelledOut.condensed(work.run(), source: source.new, destination: destination.new)
    conflicts = work.conflicts.sortedByPlace()
    notes = work.notes
    changes = MappingDifference(from: mapping, to: mappingModel)
  }
}
