package import Foundation
package import HeavyliftModel

/// The `.xccurrentversion` file of a bundle: a property list with one name in it.
package struct CurrentVersionFile: Sendable {
  static let name = ".xccurrentversion"
  private static let key = "_XCCurrentVersionName"

  /// The file's bytes, so that writing changes nothing else.
  private var data: Data
  /// The name of the version's folder, without the extension. Xcode also writes files that name no version.
  private(set) var versionName: String?

  /// Creates a file without a version.
  init() {
    data = Data()
  }

  /// Reads the file in a bundle; nil if the bundle has none.
  init?(in bundle: URL, file: String) throws(DiagnosticList) {
    let url = bundle.appending(path: Self.name, directoryHint: .notDirectory)
    guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) else { return nil }
    try self.init(data: FileReading.data(of: url, .found, file: file, limits: XMLLimits(maximumBytes: 1 << 20)), file)
  }

  private init(data: Data, _ file: String) throws(DiagnosticList) {
    self.data = data
    // Foundation's property list reader is unsuitable: it recurses as deeply as a hostile file makes it.
    let root = try XMLDocument(parsing: data, file: file).root
    guard root.name == "plist", let dictionary = root.elements.first, dictionary.name == "dict" else {
      throw DiagnosticList([
        Diagnostic(
          .error, code: "model-file.current-version-damaged",
          problem: "'\(file)' is not the property list that names the current version",
          remedy: "restore it from a backup, or remove it if there is only one version", location: root.location)
      ])
    }
    versionName = Self.text(behind: Self.key, in: dictionary).map {
      $0.hasSuffix(".xcdatamodel") ? String($0.dropLast(".xcdatamodel".count)) : $0
    }
  }

  /// Returns the name of the version that a file's contents name.
  package static func versionName(in data: Data, file: String) throws(DiagnosticList) -> String? {
    try CurrentVersionFile(data: data, file).versionName
  }

  private static func text(behind key: String, in dictionary: XMLElement) -> String? {
    let elements = dictionary.elements
    let place = elements.firstIndex { $0.name == "key" && $0.textContent == key }
    guard let place, elements.indices.contains(place + 1), elements[place + 1].name == "string" else { return nil }
    return elements[place + 1].textContent
  }

  /// Returns the same file with another version name.
  func naming(_ version: String) -> CurrentVersionFile {
    guard version != versionName else { return self }
    var file = self
    file.versionName = version
    file.data = Data(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>\(Self.key)</key>
      \t<string>\(XMLText.escape(version)).xcdatamodel</string>
      </dict>
      </plist>

      """.utf8)
    return file
  }

  func write(in bundle: URL) throws(DiagnosticList) {
    try FileReplacement.write(data, to: bundle.appending(path: Self.name, directoryHint: .notDirectory))
  }
}
