import Heavylift

/// A mistake when a property is read or set.
struct AccessMistake {
  private let property: String
  private let object: String
  private let typeName: String
  private let stored: StoredValue

  /// The stored value is not a value of the property's type.
  init(_ stored: StoredValue, _ number: Int, of object: ManagedObject, _ binding: EntityBinding, _ type: Any.Type) {
    property = "attribute '\(binding.names[number])'"
    self.object = object.description
    typeName = TypeName.scoped(type)
    self.stored = stored
  }

  var diagnostic: Diagnostic {
    if stored.isNull {
      return Diagnostic(
        .error, code: "schema.no-value",
        problem: "\(property) of \(object) has no value, but its type is '\(typeName)'",
        remedy: "set it before you read it, or declare it as '\(typeName)?'")
    }
    return Diagnostic(
      .error, code: "schema.unreadable-value",
      problem: "\(property) of \(object) holds \(stored.kind) that is not a '\(typeName)'",
      remedy: "read it as it is: 'managedObject[\"…\"]'; it was perhaps written by another version of '\(typeName)'")
  }

  /// Returns the error to keep if a value could not be set.
  static func worded(
    _ error: any Error, _ number: Int, of object: ManagedObject, _ binding: EntityBinding
  ) -> any Error {
    guard error is EncodingError || error is EncodingFailure else { return error }
    return Diagnostic(
      .error, code: "schema.unstorable-value",
      problem: "attribute '\(binding.names[number])' of \(object) was set to a value that cannot be encoded",
      remedy: "set a value that its type can encode: JSON, for example, has no infinity")
  }
}
