import Foundation
import HeavyliftModel
import HeavyliftStore
import HeavyliftXML

/// The models that may contain a store's version, each with its location.
struct ModelCandidates {
  let sources: [ModelSource]

  /// Reads every model at the paths. Throws for a file with mistakes, because its models may be wrong.
  init(_ paths: [String], _ io: CommandIO) throws {
    sources = try paths.map { path in
      let source = try ModelSource(path: path, url: io.url(path))
      _ = try source.validVersions()
      return source
    }
  }

  var models: [ManagedObjectModel] { sources.flatMap { $0.versions.map(\.model) } }

  /// The version that a program built with the last of these models uses; `nil` if its bundle names none.
  var current: ManagedObjectModel? {
    guard let last = sources.last else { return nil }
    return last.versions.first { $0.name == last.currentVersionName }?.model
  }

  /// The location of the model that fits a store, and of models with the same version hashes.
  func places(of fit: StoreVersion.Fit) -> String {
    let place = place(of: fit.model)
    let others = fit.twins.map { self.place(of: $0) }.filter { $0 != place }
    return others.isEmpty ? place : "\(place), the same version as \(others.joined(separator: ", "))"
  }

  /// The location of a model, such as `'Library 2' of Library.xcdatamodeld`; for a model that is not among the
  /// candidates, only its name.
  func place(of model: ManagedObjectModel) -> String {
    for source in sources {
      for version in source.versions where version.model.name == model.name && version.model == model {
        let file = source.path.hasSuffix("/") ? String(source.path.dropLast()) : source.path
        return source.versions.count > 1 ? "'\(version.name)' of \(file)" : "'\(version.name)' (\(file))"
      }
    }
    return "'\(model.name ?? "unnamed")'"
  }
}
