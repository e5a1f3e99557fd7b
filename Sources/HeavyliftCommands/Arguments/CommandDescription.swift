/// What a command is called, what it takes, and how it is explained: parsing and help both follow from it.
public struct CommandDescription: Hashable, Sendable {
  /// Something that is given by its place.
  public struct Argument: Hashable, Sendable {
    /// As it stands in the usage line: `STORE`.
    public var name: String
    public var help: String
    /// Whether it may be left out.
    public var isOptional: Bool
    /// Whether several may be given; only the last argument can be so.
    public var isRepeatable: Bool

    /// Creates an argument.
    public init(_ name: String, help: String, isOptional: Bool = false, isRepeatable: Bool = false) {
      self.name = name
      self.help = help
      self.isOptional = isOptional
      self.isRepeatable = isRepeatable
    }
  }

  /// Something that is given by its name: `--model PATH`, or a flag like `--json`.
  public struct Option: Hashable, Sendable {
    /// Without its dashes.
    public var name: String
    /// One letter for the short form, without its dash.
    public var shortName: Character?
    /// What stands for the value in help; nil for a flag, which has none.
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

  /// A command line to copy, with what it does.
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
  /// One line, without a full stop.
  public var abstract: String
  /// Paragraphs; nil if the abstract says it all.
  public var discussion: String?
  public var arguments: [Argument]
  public var options: [Option]
  public var examples: [Example]

  /// Creates a description; every command has the flags `--json` and `--help` besides its own.
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
  /// Gives the outcome as JSON, and errors too.
  public static let json = Self(flag: "json", help: "Write JSON; errors are a line of JSON, too.")
  /// Shows help.
  public static let help = Self(flag: "help", shortName: "h", help: "Show this help.")
}
