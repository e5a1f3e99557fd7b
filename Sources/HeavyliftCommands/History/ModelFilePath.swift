/// The path of one version's file in a repository: `App/Music.xcdatamodeld/Music 2.xcdatamodel/contents`.
struct ModelFilePath: Hashable {
  /// The path of the bundle, or of a version that is in none.
  var bundle: String
  /// The name of the version: `Music 2`.
  var version: String

  /// Nil for any other file, and for files in hidden folders, which contain builds and settings.
  init?(_ path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 1, parts.last == "contents", parts[parts.count - 2].hasSuffix(".xcdatamodel"),
      !parts.contains(where: { $0.hasPrefix(".") })
    else { return nil }
    let isInBundle = parts.count > 2 && parts[parts.count - 3].hasSuffix(".xcdatamodeld")
    bundle = parts.dropLast(isInBundle ? 2 : 1).joined(separator: "/")
    version = String(parts[parts.count - 2].dropLast(".xcdatamodel".count))
  }
}
