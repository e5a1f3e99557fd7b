import Heavylift

/// The frozen models, and the versions that they are compared with: arguments of `schema freeze` and `schema check`.
package struct SchemaOptions: Hashable, Sendable {
  /// The path of the bundle of frozen models.
  package var bundle: String
  /// The path of a model, a bundle or a store; `nil` for the versions that the tool registers.
  package var model: String?
  /// The name of the only version to use; `nil` for all.
  package var version: String?

  /// Creates options.
  package init(bundle: String, model: String? = nil, version: String? = nil) {
    self.bundle = bundle
    self.model = model
    self.version = version
  }

  init(_ arguments: ParsedArguments) {
    self.init(
      bundle: arguments[argument: "BUNDLE"], model: arguments.values(ofArgument: "MODEL").first,
      version: arguments.value(ofOption: "version"))
  }

  /// - Parameter note: The bundle's state before the command runs, as the end of its help text.
  static func arguments(bundle note: String = "") -> [CommandDescription.Argument] {
    [
      .init("BUNDLE", help: "The .xcdatamodeld of frozen versions\(note)."),
      .init("MODEL", help: "A model, a bundle or a store; without it, the tool's own versions.", isOptional: true),
    ]
  }

  /// - Parameter verb: The command's verb.
  static func version(_ verb: String) -> CommandDescription.Option {
    .init("version", value: "NAME", help: "\(verb) only this version.")
  }

  func versions(_ io: CommandIO) throws -> SchemaVersions {
    try SchemaVersions(at: model, named: version, frozenAt: bundle, io)
  }
}
