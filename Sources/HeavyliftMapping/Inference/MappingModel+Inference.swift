public import HeavyliftModel

extension MappingModel {
  /// Infers the mapping between two models by the rules of Core Data's lightweight migration.
  ///
  /// ```swift
  /// let mapping = try MappingModel.inferred(from: music1, to: music2)
  /// ```
  ///
  /// The following can be inferred: entities and properties that were added, removed, or renamed with a renaming
  /// identifier; attributes that became optional, or mandatory with a default value; attributes whose type became wider
  /// (from Boolean to an integer, from Integer 16 to 32 or 64, from Integer 32 to 64, or from Float to Double);
  /// relationships that changed from to-one to to-many, or between ordered and unordered; entities that moved within
  /// their hierarchy; parents and sub-entities that were added or removed; and properties that moved up or down the
  /// hierarchy. Everything else is refused and reported together, whereas Core Data stops at the first problem with
  /// error 134190 (`NSInferredMappingModelError`). Models without a common entity are refused, too, because all objects
  /// would be removed.
  ///
  /// A relationship that leads to another entity than before keeps the links whose objects become objects of that entity.
  /// A migration of a store with other links fails, and its error says how many there are and how to drop them.
  ///
  /// The mapping has an entity mapping for each entity, and mentions a property only if necessary. As Core Data does,
  /// it removes properties that the destination model does not have; the check warns about those that may have been
  /// renamed.
  public static func inferred(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(DiagnosticList) -> MappingModel {
    try inferred(from: source, to: destination, succession: nil)
  }

  /// Infers the mapping between two models whose entities and properties the versions in between match.
  ///
  /// - Parameters:
  ///   - values: The values of attributes that the versions in between compute, by destination entity and name.
  ///   - fitsAllStores: True to refuse relationships whose links only fit if a store has the right ones.
  package static func inferred(
    from source: ManagedObjectModel, to destination: ManagedObjectModel, succession: Succession?,
    values: [Int: [String: PropertyMappingDescription]] = [:], fitsAllStores: Bool = false
  ) throws(DiagnosticList) -> MappingModel {
    var inference = MappingInference(from: source, to: destination, succession, values)
    let mapping = inference.run()
    let refusals = inference.refusals + (fitsAllStores ? inference.questions : [])
    guard refusals.isEmpty else { throw DiagnosticList(refusals) }
    return mapping
  }

  /// Infers as much of the mapping as the rules allow, and returns the refusals for the rest, including relationships
  /// whose links a store may lose.
  ///
  /// If there are refusals, the mapping is an incomplete draft for its author to finish.
  public static func inferring(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> (mapping: MappingModel, refusals: [Diagnostic]) {
    var inference = MappingInference(from: source, to: destination)
    let mapping = inference.run()
    return (mapping, inference.refusals + inference.questions)
  }

  /// Returns a draft for its author to complete, with a comment starting with `TODO:` for everything that cannot be
  /// inferred, and for each property and entity that is gone. The draft drops and removes nothing.
  public static func draft(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> (mapping: MappingModel, refusals: [Diagnostic]) {
    var inference = MappingInference(from: source, to: destination)
    let mapping = inference.run()
    let draft = MappingDraft(mapping, refusals: inference.findingsByEntity)
    return (draft.draft(from: source, to: destination), inference.refusals + inference.questions)
  }
}
