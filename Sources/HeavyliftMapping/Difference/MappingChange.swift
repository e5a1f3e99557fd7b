/// A fact that differs between two mappings.
public struct MappingChange: Hashable, Sendable {
  /// The name of the fact: `where`, `policy`, `value`, `user-info.key`.
  public var parameter: String
  /// The old value as text; nil if there was none.
  public var old: String?
  /// The new value as text; nil if there is none.
  public var new: String?

  /// Creates a change.
  public init(parameter: String, old: String?, new: String?) {
    self.parameter = parameter
    self.old = old
    self.new = new
  }
}

extension MappingChange: CustomStringConvertible {
  /// `where: none → title != nil`.
  public var description: String { "\(parameter): \(values)" }

  /// Both values: `none → title != nil`.
  var values: String { "\(old ?? "none") → \(new ?? "none")" }
}
