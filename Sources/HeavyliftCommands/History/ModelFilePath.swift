/// The path of one version's file in a repository: `App/Music.xcdatamodeld/Music 2.xcdatamodel/contents`.
struct ModelFilePath: Hashable {
  /// The path of the bundle, or of a version that is in none.
  var bundle: String
  /// The path of the version's folder: `App/Music.xcdatamodeld/Music 2.xcdatamodel`.
  var folder: String
  /// The name of the version: `Music 2`.
  var version: String

  /// Nil for any other file, and for files in hidden folders, which contain builds and settings.
  init?(_ path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 1, parts.last == "contents", parts[parts.count - 2].hasSuffix(".xcdatamodel"),
      !parts.contains(where: { $0.hasPrefix(".") })
    else { return nil }
    let isInBundle = parts.count > 2 && parts[parts.count - 3].hasSuffix(".xcdatamodeld")
    folder = parts.dropLast().joined(separator: "/")
    bundle = isInBundle ? parts.dropLast(2).joined(separator: "/") : folder
    version = String(parts[parts.count - 2].dropLast(".xcdatamodel".count))
  }
}
