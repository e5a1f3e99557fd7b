import HeavyliftXML

/// The location and versions of a mapping's models: options of every command that takes a mapping.
package struct MappingOptions: Hashable, Sendable {
  /// Paths of models; empty to look next to the mapping.
  package var models: [String]
  /// The source model's version, if it is not the one that the mapping names.
  package var sourceVersion: String?
  /// The destination model's version, if it is not the one that the mapping names.
  package var destinationVersion: String?

  /// Creates options.
  package init(models: [String] = [], sourceVersion: String? = nil, destinationVersion: String? = nil) {
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
      help: "The mapping's models, or a folder that contains them; by default those next to the mapping."),
    .init("from", value: "VERSION", help: "The source model's version, if not the one the mapping names."),
    .init("to", value: "VERSION", help: "The destination model's version, if not the one the mapping names."),
  ]

  func models(of mapping: MappingSource, besides others: [String] = [], _ io: CommandIO) throws -> MappedModels {
    try models(of: mapping, besides: others, ModelSources(io))
  }

  func models(
    of mapping: MappingSource, besides others: [String] = [], _ sources: ModelSources
  ) throws -> MappedModels {
    try MappedModels(
      of: mapping, models: models, besides: others, versions: (sourceVersion, destinationVersion), sources)
  }
}
