/// A version of a plan.
struct PlannedVersion {
  /// The name of a version, as stages refer to it.
  struct Reference: Hashable {
    enum Key: Hashable {
      case type(ObjectIdentifier)
      /// The position in a list of schemas, which have no type of their own.
      case position(Int)
    }

    let key: Key
    /// The name in messages: `MusicV2`.
    let name: String

    init(_ type: any VersionedSchema.Type) {
      (key, name) = (.type(ObjectIdentifier(type)), TypeName.scoped(type))
    }

    /// - Parameter position: The position, where 0 is the oldest version.
    init(_ schema: Schema, at position: Int) {
      (key, name) = (.position(position), schema.version?.description ?? "version \(position + 1)")
    }
  }

  let reference: Reference
  let schema: Schema
  var name: String { reference.name }
}
