/// The name, arguments and help texts of a command, used for both parsing and help.
public struct CommandDescription: Hashable, Sendable {
  /// A positional argument.
  public struct Argument: Hashable, Sendable {
    /// The name in the usage line: `STORE`.
    public var name: String
    public var help: String
    /// True if the argument can be omitted.
    public var isOptional: Bool
    /// True if the argument can be given several times; allowed only for the last argument.
    public var isRepeatable: Bool
    /// The option that can be given instead.
    public var alternative: String?

    /// Creates an argument.
    public init(
      _ name: String, help: String, isOptional: Bool = false, isRepeatable: Bool = false, alternative: String? = nil
    ) {
      self.name = name
      self.help = help
      self.isOptional = isOptional
      self.isRepeatable = isRepeatable
      self.alternative = alternative
    }
  }

  /// A named option: `--model PATH`, or a flag like `--json`.
  public struct Option: Hashable, Sendable {
    /// The name without dashes.
    public var name: String
    /// The letter of the short form, without its dash.
    public var shortName: Character?
    /// The placeholder for the value in help; `nil` for a flag.
    public var valueName: String?
    public var isRepeatable: Bool
    public var help: String

    /// Creates an option with a value.
    public init(
      _ name: String, shortName: Character? = nil, value: String, isRepeatable: Bool = false, help: String
    ) {
      self.init(name: name, shortName: shortName, valueName: value, isRepeatable: isRepeatable, help: help)
    }

    /// Creates a flag.
    public init(flag name: String, shortName: Character? = nil, help: String) {
      self.init(name: name, shortName: shortName, valueName: nil, isRepeatable: false, help: help)
    }

    private init(name: String, shortName: Character?, valueName: String?, isRepeatable: Bool, help: String) {
      self.name = name
      self.shortName = shortName
      self.valueName = valueName
      self.isRepeatable = isRepeatable
      self.help = help
    }
  }

  /// An example command line with an explanation.
  public struct Example: Hashable, Sendable {
    public var commandLine: String
    public var explanation: String

    /// Creates an example.
    public init(_ commandLine: String, _ explanation: String) {
      self.commandLine = commandLine
      self.explanation = explanation
    }
  }

  public var name: String
  /// A summary in one line, without a period.
  public var abstract: String
  /// Paragraphs of detail; `nil` if the abstract is enough.
  public var discussion: String?
  public var arguments: [Argument]
  public var options: [Option]
  public var examples: [Example]

  /// Creates a description; every command also gets the flags `--json` and `--help`.
  public init(
    name: String, abstract: String, discussion: String? = nil, arguments: [Argument] = [], options: [Option] = [],
    examples: [Example] = []
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.arguments = arguments
    self.options = options + [.json, .help]
    self.examples = examples
  }
}

extension CommandDescription.Option {
  /// Writes the result as JSON, including errors.
  public static let json = Self(flag: "json", help: "Write JSON. A failure is one line of JSON on standard error.")
  /// Shows help.
  public static let help = Self(flag: "help", shortName: "h", help: "Show this help.")
}
