public import HeavyliftModel

/// Carries a mapping over to models that were edited since it was written.
///
/// ```swift
/// let rebase = MappingRebase(
///   mapping, source: .unchanged(music1), destination: ModelEdit(from: music2, to: music2Edited))
/// for conflict in rebase.conflicts { print(conflict) }
/// try MappingWriter.write(rebase.mappingModel, to: file)
/// ```
///
/// What was renamed, as a renaming identifier says, is renamed in the mapping: entities, properties, keys in expressions
/// and filters along relationships, names of entity mappings and entities in the arguments of functions. What was copied
/// because of its name and would not be any more is written out, whole entities included. Everything else stays as it
/// was written.
///
/// What cannot be decided is a conflict. The mapping keeps what was written there, with a comment before it that starts
/// with `rebase:`; as long as such a comment is there, `MappingModel.openConflicts` is not empty, and the check refuses
/// the mapping.
public struct MappingRebase: Sendable {
  /// The mapping for the models as they are.
  public let mappingModel: MappingModel
  /// What somebody must decide, in the order of the file the mapping was read from.
  public let conflicts: [Diagnostic]
  /// What somebody may want to know: entities that are new and that the mapping does not mention.
  public let notes: [Diagnostic]
  /// What differs from the mapping as it was.
  public let changes: MappingDifference

  /// Carries a mapping over.
  public init(_ mapping: MappingModel, source: ModelEdit, destination: ModelEdit) {
    let spelledOut = SpelledOutEntities(mapping, source: source, destination: destination)
    let work = RebaseWork(spelledOut.mapping, source: source, destination: destination)
    mappingModel = spelledOut.condensed(work.run(), source: source.new, destination: destination.new)
    conflicts = work.conflicts.sortedByPlace()
    notes = work.notes
    changes = MappingDifference(from: mapping, to: mappingModel)
  }
}
