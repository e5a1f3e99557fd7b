import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

extension DiffCommand {
  /// Compares two mapping files as written or, if models are given or the kinds of files differ, by their effect.
  func compareMappings(_ first: String, _ second: String, _ io: CommandIO) throws -> ExitCode {
    let before = try MappingSource(path: first, url: io.url(first))
    let after = try MappingSource(path: second, url: io.url(second))
    let (old, new) = (try before.validMappingModel(), try after.validMappingModel())
    // Xcode's files list everything, while mapping files list only what differs from the defaults: their texts cannot
    // be compared.
    let comparesMeaning = !models.isEmpty || before.kind != after.kind
    let difference: MappingDifference
    if comparesMeaning {
      let options = MappingOptions(models: models, sourceVersion: firstVersion, destinationVersion: secondVersion)
      difference = MappingDifference(
        from: try options.models(of: before, io).complete(old), to: try options.models(of: after, io).complete(new),
        comparesOrigins: false)
    } else {
      difference = MappingDifference(from: old, to: new)
    }
    if writesJSON {
      guard case .object(let members) = difference.json else { return .failure }
      try io.write(
        JSONValue.object(
          [
            ("from", .string(first)), ("to", .string(second)), ("same", .bool(difference.isEmpty)),
            ("comparesMeaning", .bool(comparesMeaning)),
          ] + members
        ).indented)
    } else {
      let what = comparesMeaning ? "what the mappings do" : "what the mappings say"
      let title = TextStyle(io).bold("\(what): from \(first.shown) to \(second.shown)")
      try io.write(lines: [title, "", difference.isEmpty ? "no difference" : difference.description.shownLines])
    }
    return difference.isEmpty ? .success : .negative
  }
}
