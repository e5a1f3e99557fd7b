public import HeavyliftModel

extension MappingModel {
  /// Infers the mapping between two models by the rules of Core Data's lightweight migration.
  ///
  /// ```swift
  /// let mapping = try MappingModel.inferred(from: music1, to: music2)
  /// ```
  ///
  /// Inferred are: entities and properties that were added, removed, or renamed by a renaming identifier; attributes
  /// that became optional, or mandatory with a default value; attributes of a wider type, from Boolean over Integer 16 and
  /// 32 to 64 and from Float to Double; relationships from one object to many, and between
  /// ordered and unordered; entities that moved within their hierarchy, parents and sub-entities that were added or
  /// removed, properties that moved up or down. Everything else is refused, and all of it told at once, where
  /// Core Data gives up at the first with error 134190 (`NSInferredMappingModelError`).
  ///
  /// The mapping says what is needed and no more: it is the file that one starts from.
  public static func inferred(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(DiagnosticList) -> MappingModel {
    let (mapping, refusals) = inferring(from: source, to: destination)
    guard refusals.isEmpty else { throw DiagnosticList(refusals) }
    return mapping
  }

  /// Infers as much of the mapping as the rules allow, and says what they do not.
  ///
  /// With refusals it is a draft, for somebody to complete: what cannot be inferred is not in it.
  public static func inferring(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> (mapping: MappingModel, refusals: [Diagnostic]) {
    var inference = MappingInference(from: source, to: destination)
    let mapping = inference.run()
    return (mapping, inference.refusals)
  }
}
