import Foundation
import HeavyliftModel

/// A file of another kind that users pass by mistake.
enum OtherFile: CaseIterable {
  case binaryPropertyList
  case page
  case propertyList
  case objectModel
  case xcodeMapping
  case coreDataStore
  case grammar
  case fragment

  /// Recognizes a file, XML or not, by its first bytes.
  init?(startOf data: Data) {
    if data.starts(with: Data("bplist".utf8)) {
      self = .binaryPropertyList
      return
    }
    let start = String(decoding: data.prefix(256), as: UTF8.self)
      .trimmingPrefix { $0.isWhitespace || $0 == "\u{FEFF}" }.lowercased()
    guard start.hasPrefix("<!doctype html") || start.hasPrefix("<html") else { return nil }
    self = .page
  }

  /// Recognizes an XML file by its root element.
  init?(root: XMLElement) {
    switch root.name {
    case "plist": self = .propertyList
    case "model": self = .objectModel
    case "database": self = root.isXcodeMapping ? .xcodeMapping : .coreDataStore
    case "grammar": self = .grammar
    case "entity-mapping": self = .fragment
    case _ where root.name.lowercased() == "html": self = .page
    default: return nil
    }
  }

  func diagnostic(at location: DiagnosticLocation?) -> Diagnostic {
    Diagnostic(
      .error, code: "mapping-file.not-a-mapping", problem: "the file is \(problem), not a mapping file",
      remedy: remedy, location: location)
  }

  private var problem: String {
    switch self {
    case .binaryPropertyList: "a binary property list"
    case .page: "an HTML page"
    case .propertyList: "a property list"
    case .objectModel: "a data model"
    case .xcodeMapping: "an Xcode mapping model"
    case .coreDataStore: "a Core Data store in XML format"
    case .grammar: "a RELAX NG grammar"
    case .fragment: "a single entity mapping"
    }
  }

  private var remedy: String {
    switch self {
    case .binaryPropertyList:
      "if it is a compiled mapping model (.cdm), convert it first: `heavylift convert` writes a mapping file"
    case .page: "download the file itself, not the page that shows it"
    case .propertyList: "pass the file whose root element is 'mapping-model'"
    case .objectModel: "pass the file that maps one model to the next: its root element is 'mapping-model'"
    case .xcodeMapping: "convert it first: `heavylift convert` writes a mapping file"
    case .coreDataStore: "pass the file whose root element is 'mapping-model'"
    case .grammar: "pass a file that follows this grammar: its root element is 'mapping-model'"
    case .fragment: "put it inside <mapping-model>…</mapping-model>"
    }
  }
}

extension XMLElement {
  /// True if the element is a Core Data store with objects of Xcode's mapping editor.
  fileprivate var isXcodeMapping: Bool {
    elements(named: "object").contains { $0["type"]?.hasPrefix("XDDEV") == true }
  }
}
