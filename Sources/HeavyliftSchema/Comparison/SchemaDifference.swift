import HeavyliftModel

/// The differences between two versions of a schema, modulo renaming.
///
/// ```swift
/// let difference = MusicV2.schema.difference(from: MusicV1.schema)
/// print(difference)
/// for warning in difference.diagnostics { print(warning) }
/// ```
public struct SchemaDifference: Hashable, Sendable {
  /// A property whose Swift type differs.
  ///
  /// The stored type can be the same, for example if both are `Codable` structures in a transformable attribute. Then
  /// the old values cannot be read as the new type, although the version hash is the same.
  public struct TypeChange: Hashable, Sendable, CustomStringConvertible {
    /// The entity's name in the new version.
    public var entityName: String
    /// The property's name in the new version.
    public var propertyName: String
    /// The old type, with the elements of a structure: `Point(x: Double)`.
    public var oldType: String
    /// The new type.
    public var newType: String

    /// The property and both types in one line.
    public var description: String { "attribute '\(propertyName)' of entity '\(entityName)': \(oldType) → \(newType)" }
  }

  /// The differences between the models.
  package let model: ModelDifference
  /// The attributes whose Swift types differ, sorted by entity and name.
  public let typeChanges: [TypeChange]
  /// Warnings about changes that lose values, or that may not be meant.
  public let diagnostics: [Diagnostic]

  /// A Boolean value that indicates whether the two versions are the same.
  public var isEmpty: Bool { model.isEmpty && typeChanges.isEmpty }
}

extension SchemaDifference: CustomStringConvertible {
  /// The differences between the models, followed by the Swift types that differ.
  public var description: String {
    ([model.isEmpty ? nil : "\(model)"].compactMap(\.self) + typeChanges.map(\.description)).joined(separator: "\n")
  }
}

extension Schema {
  /// Returns the differences from an earlier version of the schema.
  ///
  /// - Parameter old: The earlier version.
  public func difference(from old: Schema) -> SchemaDifference {
    let model = ModelDifference(from: old.model, to: self.model)
    let comparison = SchemaComparison(old: old, new: self, difference: model)
    return SchemaDifference(
      model: model, typeChanges: comparison.typeChanges, diagnostics: comparison.questions.map(\.diagnostic))
  }
}
