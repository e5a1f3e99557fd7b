/// The arguments of a command, by the names in its description.
public struct ParsedArguments: Hashable, Sendable {
  /// Values by argument name.
  private var arguments: [String: [String]] = [:]
  /// Values by option name; a flag has one empty value for each time it was given.
  private var options: [String: [String]] = [:]

  /// The value of a required argument; the parser has made sure that there is one.
  public subscript(argument name: String) -> String { arguments[name]?.first ?? "" }

  /// All values of an argument.
  public func values(ofArgument name: String) -> [String] { arguments[name] ?? [] }

  /// An option's value; `nil` if it was not given.
  public func value(ofOption name: String) -> String? { options[name]?.last }

  /// All values of an option, in order.
  public func values(ofOption name: String) -> [String] { options[name] ?? [] }

  /// Returns true if a flag was given.
  public func has(_ name: String) -> Bool { options[name] != nil }

  mutating func add(_ value: String, toOption name: String) { options[name, default: []].append(value) }

  mutating func add(_ value: String, toArgument name: String) { arguments[name, default: []].append(value) }
}
