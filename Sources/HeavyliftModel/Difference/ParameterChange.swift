/// One parameter that differs between two versions of a part of a model.
package struct ParameterChange: Hashable, Sendable {
  /// The parameter's name in a model file: `attributeType`, `optional`, `userInfo.key`.
  package var parameter: String
  /// The old value as text; nil if there was none.
  package var old: String?
  /// The new value as text; nil if there is none.
  package var new: String?
  /// A Boolean value that indicates whether this change affects the entity's version hash.
  package var changesVersionHash: Bool

  /// Creates a change.
  package init(parameter: String, old: String?, new: String?, changesVersionHash: Bool) {
    self.parameter = parameter
    self.old = old
    self.new = new
    self.changesVersionHash = changesVersionHash
  }
}

extension ParameterChange: CustomStringConvertible {
  /// The parameter and its values: `attributeType: Integer 16 → Integer 32`.
  package var description: String { "\(parameter): \(values)" }

  /// The old and the new value: `Integer 16 → Integer 32`.
  var values: String { "\(old ?? "none") → \(new ?? "none")" }
}
