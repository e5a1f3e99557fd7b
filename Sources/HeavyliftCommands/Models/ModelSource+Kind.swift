import Foundation
import HeavyliftModel
import HeavyliftSQLite

extension ModelSource {
  /// Finds out what a path is: by its extension if it has one that is known, otherwise by what is inside.
  static func kind(_ path: String, _ url: URL) throws -> Kind {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw Diagnostic(
        .error, code: "model-file.missing", problem: "there is no file or folder '\(path)'", remedy: "check the path")
    }
    return try isFolder.boolValue ? kind(ofFolder: url, path) : kind(ofFile: url, path)
  }

  private static func kind(ofFolder url: URL, _ path: String) throws -> Kind {
    switch url.pathExtension {
    case "xcdatamodeld": return .bundle
    case "xcdatamodel": return .model
    case "momd": return .compiledBundle
    default: break
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    if names.contains("contents") { return .model }
    if names.contains(where: { $0.hasSuffix(".xcdatamodel") }) { return .bundle }
    if names.contains("VersionInfo.plist") { return .compiledBundle }
    let inside = names.sorted().filter { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".momd") }
    throw Diagnostic(
      .error, code: "model-file.not-a-model", problem: "the folder '\(path)' is no model",
      remedy: inside.isEmpty
        ? "give an .xcdatamodeld, an .xcdatamodel, a contents file, a .momd or a .mom"
        : "give one of the models inside: \(inside.map { "'\($0)'" }.joined(separator: ", "))")
  }

  private static func kind(ofFile url: URL, _ path: String) throws -> Kind {
    if try DatabaseFiles(path: url.path).hasDatabaseHeader {
      throw Diagnostic(
        .error, code: "model-file.is-a-store", problem: "'\(path)' is an SQLite database and not a model",
        remedy: "give an .xcdatamodeld, an .xcdatamodel, a contents file, a .momd or a .mom")
    }
    let handle = try? FileHandle(forReadingFrom: url)
    defer { try? handle?.close() }
    let start = try? handle?.read(upToCount: 8)
    return start?.starts(with: Data("bplist".utf8)) == true || url.pathExtension == "mom" ? .compiledModel : .contents
  }
}
