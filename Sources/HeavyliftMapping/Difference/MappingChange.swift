/// A fact that differs between two mappings.
package struct MappingChange: Hashable, Sendable {
  /// The name of the fact: `where`, `policy`, `value`, `user-info.key`.
  package var parameter: String
  /// The old value as text; nil if there was none.
  package var old: String?
  /// The new value as text; nil if there is none.
  package var new: String?

  /// Creates a change.
  package init(parameter: String, old: String?, new: String?) {
    self.parameter = parameter
    self.old = old
    self.new = new
  }
}

extension MappingChange: CustomStringConvertible {
  /// `where: none → title != nil`.
  package var description: String { "\(parameter): \(values)" }

  /// Both values: `none → title != nil`.
  var values: String { "\(old ?? "none") → \(new ?? "none")" }
}
