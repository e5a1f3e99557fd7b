/// Parses a command's arguments according to its description. Options can be before, between and after positional
/// arguments, as `--name value` or `--name=value`. Everything after `--` is positional.
struct ArgumentParser {
  let command: CommandDescription
  private var parsed = ParsedArguments()
  private var positional: [String] = []

  init(_ command: CommandDescription) { self.command = command }

  /// Throws only the first mistake: later ones are often only a result of it.
  mutating func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--" {
        positional += rest
        break
      }
      if word.hasPrefix("--") {
        try parseLong(word, &rest)
      } else if word.hasPrefix("-"), word.count > 1 {
        try parseShort(word, &rest)
      } else {
        positional.append(word)
      }
    }
    // A user who asks for help may not know the right arguments yet.
    if !parsed.has("help") { try assign() }
    return parsed
  }

  private mutating func parseLong(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = command.options.first(where: { $0.name == name }) else {
      throw .unknownOption("--\(name)", command: command)
    }
    try take(option, spelt: "--\(name)", value: parts.count > 1 ? String(parts[1]) : nil, &rest)
  }

  /// Parses short options, such as `-m PATH`. The letters of flags can be combined.
  private mutating func parseShort(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
    let letters = word.dropFirst()
    // A name with one dash: its letters would be read as flags, and the message would be about one of them.
    let name = String(letters.prefix { $0 != "=" })
    if name.count > 1, let meant = command.options.first(where: { $0.name == name }) {
      throw .singleDash(meant, spelt: "-\(name)", command: command)
    }
    for letter in letters {
      guard let option = command.options.first(where: { $0.shortName == letter }) else {
        throw .unknownOption(letters.count == 1 ? word : "-\(letter)", command: command)
      }
      guard option.valueName == nil || letters.count == 1 else {
        throw .missingValue(option, spelt: "-\(letter)", command: command)
      }
      try take(option, spelt: "-\(letter)", value: nil, &rest)
    }
  }

  private mutating func take(
    _ option: CommandDescription.Option, spelt spelling: String, value: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    guard option.valueName != nil else {
      guard value == nil else { throw .unexpectedValue(option, command: command) }
      parsed.add("", toOption: option.name)
      return
    }
    guard !parsed.has(option.name) || option.isRepeatable else { throw .repeatedOption(option, command: command) }
    var taken = value
    // A word that starts with a dash counts as an option, so a value that starts with a dash must be given after "=".
    if taken == nil, let next = rest.first, !next.hasPrefix("-") || next == "-" {
      taken = next
      rest = rest.dropFirst()
    }
    guard let taken, !taken.isEmpty else { throw .missingValue(option, spelt: spelling, command: command) }
    parsed.add(taken, toOption: option.name)
  }

  private mutating func assign() throws(UsageError) {
    var rest = positional[...]
    for argument in command.arguments {
      if let option = argument.alternative, parsed.has(option) { continue }
      guard let first = rest.popFirst() else {
        if argument.isOptional { continue }
        throw .missingArgument(argument, command: command)
      }
      parsed.add(first, toArgument: argument.name)
      if argument.isRepeatable {
        for value in rest { parsed.add(value, toArgument: argument.name) }
        rest = []
      }
    }
    if let extra = rest.first { throw .unexpectedArgument(extra, command: command) }
  }
}
