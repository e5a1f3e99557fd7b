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

  /// Checks the root element, which is near the start of every real file.
  private static func kind(ofXML url: URL) -> Kind? {
    guard let handle = try? RegularFile.handle(url) else { return nil }
    defer { try? handle.close() }
    let start = String(decoding: (try? handle.read(upToCount: 64 << 10)) ?? Data(), as: UTF8.self)
    let kinds: [(tag: String, kind: Kind?)] = [
      ("<mapping-model", .mappingFile), ("<database", .xcode), ("<model", nil),
    ]
    let found = kinds.compactMap { candidate in
      start.range(of: candidate.tag).map { (place: $0.lowerBound, kind: candidate.kind) }
    }
    if let first = found.min(by: { $0.place < $1.place }) { return first.kind }
    // For a broken file, the reader for its extension reports the best error.
    return url.pathExtension == "xml" ? .mappingFile : nil
  }
}
