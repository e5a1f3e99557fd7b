/// What was given to a command, by the names in its description.
public struct ParsedArguments: Hashable, Sendable {
  /// By argument name.
  private var arguments: [String: [String]] = [:]
  /// By option name; a flag has an empty value for each time that it was given.
  private var options: [String: [String]] = [:]

  /// The value of an argument that is not optional, which parsing has made sure of.
  public subscript(argument name: String) -> String { arguments[name]?.first ?? "" }

  /// All values of an argument.
  public func values(ofArgument name: String) -> [String] { arguments[name] ?? [] }

  /// An option's value; nil if it was not given.
  public func value(ofOption name: String) -> String? { options[name]?.last }

  /// All values of an option, in order.
  public func values(ofOption name: String) -> [String] { options[name] ?? [] }

  /// Whether a flag was given.
  public func has(_ name: String) -> Bool { options[name] != nil }

  mutating func add(_ value: String, toOption name: String) { options[name, default: []].append(value) }

  mutating func add(_ value: String, toArgument name: String) { arguments[name, default: []].append(value) }
}
