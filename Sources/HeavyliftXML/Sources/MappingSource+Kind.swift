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

  /// True if an XML file, which may be about anything, may be meant as a mapping file: it contains the name of an
  /// element of mapping files, or it is empty.
  package static func mayBeMappingFile(_ url: URL) throws -> Bool {
    let handle = try RegularFile.handle(url)
    defer { try? handle.close() }
    var data = try handle.read(upToCount: 16 << 20) ?? Data()
    // Half of UTF-16's bytes, and all bytes of a file that was lost in a power failure.
    if data.contains(0) { data.removeAll { $0 == 0 } }
    return data.isEmpty || ["<mapping-model", "<entity-mapping"].contains { data.contains(tag: Data($0.utf8)) }
  }

  private static func kind(ofXML url: URL) -> Kind? {
    guard let handle = try? RegularFile.handle(url) else { return nil }
    defer { try? handle.close() }
    // For a broken file, the reader for its extension reports the best error.
    let found: Kind?? = kind(ofXML: (try? handle.read(upToCount: 64 << 10)) ?? Data())
    return found ?? (url.pathExtension == "xml" ? .mappingFile : nil)
  }

  /// Checks the root element, which is near the start of every real file.
  ///
  /// - Returns: The kind, which is `nil` for a model; no kind if no root element is recognized.
  static func kind(ofXML data: Data) -> Kind?? {
    let start = String(decoding: data.prefix(64 << 10), as: UTF8.self)
    let kinds: [(tag: String, kind: Kind?)] = [
      ("<mapping-model", .mappingFile), ("<database", .xcode), ("<model", nil),
    ]
    let found = kinds.compactMap { candidate in
      start.range(of: candidate.tag).map { (place: $0.lowerBound, kind: candidate.kind) }
    }
    return found.min { $0.place < $1.place }.map(\.kind)
  }
}

extension Data {
  /// True if the start of a tag occurs with its whole name.
  fileprivate func contains(tag: Data) -> Bool {
    var rest = self[...]
    while let place = rest.range(of: tag) {
      guard place.upperBound < endIndex, !" \t\r\n/>".utf8.contains(self[place.upperBound]) else { return true }
      rest = self[place.upperBound...]
    }
    return false
  }
}
