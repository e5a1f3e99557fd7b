/// One thing that a mapping says otherwise than another.
public struct MappingChange: Hashable, Sendable {
  /// What it is called in a mapping file: `where`, `policy`, `value`, `user-info.key`.
  public var parameter: String
  /// The value before, as text; nil if there was none.
  public var old: String?
  /// The value after, as text; nil if there is none.
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

  /// `none → title != nil`.
  var values: String { "\(old ?? "none") → \(new ?? "none")" }
}
