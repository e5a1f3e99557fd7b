package import Foundation
import HeavyliftArchive
import HeavyliftModel

extension MappingSource {
  /// Returns the kind of mapping at a path, judging by its name and first bytes; nil if it is not a mapping.
  package static func kind(_ path: String, _ url: URL) throws -> Kind? {
    switch try GivenFile(path, url).kind {
    case .database: return nil
    case .folder:
      if url.pathExtension == "xcmappingmodel" { return .xcode }
      let inside = url.appending(path: "xcmapping.xml", directoryHint: .notDirectory)
      return FileManager.default.fileExists(atPath: inside.path) ? .xcode : nil
    case .binaryPropertyList: return url.pathExtension == "mom" ? nil : url.pathExtension == "cdm" ? .compiled : nil
    case .other:
      if url.pathExtension == "cdm" { return .compiled }
      if url.lastPathComponent == "xcmapping.xml" { return .xcode }
      return kind(ofXML: url)
    }
  }

  /// True if the root element of an XML file is that of a mapping file.
  package static func isMappingFile(_ url: URL) -> Bool {
    guard let start = start(ofXML: url) else { return false }
    return root(start)?.kind == .mappingFile
  }

  private static func kind(ofXML url: URL) -> Kind? {
    guard let start = start(ofXML: url) else { return nil }
    if let root = root(start) { return root.kind }
    // For a broken file, the reader for its extension reports the best error.
    return url.pathExtension == "xml" ? .mappingFile : nil
  }

  private static func start(ofXML url: URL) -> String? {
    guard let handle = try? RegularFile.handle(url) else { return nil }
    defer { try? handle.close() }
    return String(decoding: (try? handle.read(upToCount: 64 << 10)) ?? Data(), as: UTF8.self)
  }

  /// Returns the root element if it is a known one. It is near the start of every real file.
  private static func root(_ start: String) -> (tag: String, kind: Kind?)? {
    let kinds: [(tag: String, kind: Kind?)] = [
      ("<mapping-model", .mappingFile), ("<database", .xcode), ("<model", nil),
    ]
    let found = kinds.compactMap { root in start.range(of: root.tag).map { (place: $0.lowerBound, root: root) } }
    return found.min { $0.place < $1.place }?.root
  }
}
