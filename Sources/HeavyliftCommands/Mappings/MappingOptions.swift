import HeavyliftXML

/// Where the models of a mapping are, and which of their versions are meant: options of every command that takes one.
public struct MappingOptions: Hashable, Sendable {
  /// Paths of models; empty to look beside the mapping.
  public var models: [String]
  /// The source model's version, where it is not the one that the mapping names.
  public var sourceVersion: String?
  /// The destination model's version, where it is not the one that the mapping names.
  public var destinationVersion: String?

  /// Creates options.
  public init(models: [String] = [], sourceVersion: String? = nil, destinationVersion: String? = nil) {
    self.models = models
    self.sourceVersion = sourceVersion
    self.destinationVersion = destinationVersion
  }

  init(_ arguments: ParsedArguments) {
    self.init(
      models: arguments.values(ofOption: "model"), sourceVersion: arguments.value(ofOption: "from"),
      destinationVersion: arguments.value(ofOption: "to"))
  }

  static let options: [CommandDescription.Option] = [
    .init(
      "model", shortName: "m", value: "PATH", isRepeatable: true,
      help: "Where the mapping's models are; without it they are looked for beside the mapping."),
    .init("from", value: "VERSION", help: "The source model's version, if not the one that the mapping names."),
    .init("to", value: "VERSION", help: "The destination model's version, if not the one that the mapping names."),
  ]

  func models(of mapping: MappingSource, besides others: [String] = [], _ io: CommandIO) throws -> MappedModels {
    try MappedModels(
      of: mapping, models: models, besides: others, versions: (sourceVersion, destinationVersion), io)
  }
}
