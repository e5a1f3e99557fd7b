package import Foundation
import HeavyliftModel

extension ModelSource {
  /// Returns true if a path names a model; anything else is treated as a store.
  package static func isModel(_ path: String) -> Bool {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let endings = [".xcdatamodeld", ".xcdatamodel", ".momd", ".mom"]
    return name == "contents" || endings.contains { name.hasSuffix($0) }
  }

  /// Returns the kind of model at a path, judging by its extension if that is known, otherwise by its contents.
  package static func kind(_ path: String, _ url: URL) throws -> Kind {
    switch try GivenFile(path, url).kind {
    case .folder: return try kind(ofFolder: url, path)
    case .database:
      throw Diagnostic(
        .error, code: "model-file.is-a-store", problem: "'\(path)' is an SQLite database, not a model",
        remedy: "pass an .xcdatamodeld, an .xcdatamodel, a contents file, a .momd or a .mom")
    case .binaryPropertyList: return .compiledModel
    case .other: return url.pathExtension == "mom" ? .compiledModel : .contents
    }
  }

  private static func kind(ofFolder url: URL, _ path: String) throws -> Kind {
    switch url.pathExtension.lowercased() {
    case "xcdatamodeld": return .bundle
    case "xcdatamodel": return .model
    case "momd": return .compiledBundle
    default: break
    }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      throw Diagnostic.unreadable("the folder '\(path)'", because: error)
    }
    if names.contains("contents") { return .model }
    if names.contains(where: { $0.hasSuffix(".xcdatamodel") }) { return .bundle }
    if names.contains("VersionInfo.plist") { return .compiledBundle }
    let inside = names.sorted().filter { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".momd") }
    throw Diagnostic(
      .error, code: "model-file.not-a-model", problem: "the folder '\(path)' is not a model",
      remedy: inside.isEmpty
        ? "pass an .xcdatamodeld, an .xcdatamodel, a contents file, a .momd or a .mom"
        : "pass one of the models inside: \(inside.map { "'\($0)'" }.joined(separator: ", "))")
  }
}
