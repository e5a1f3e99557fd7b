extension String {
  /// The path without its last component: `"a/b"` → `"a"`, `"/a"` → `"/"`, `"a"` → `""`.
  ///
  /// `NSString.deletingLastPathComponent` in swift-corelibs-foundation crashes on a path of one character.
  package var deletingLastPathComponent: String {
    var rest = self[...].trimmingTrailingSlashes
    guard rest.last != "/" else { return "/" }
    while let last = rest.last, last != "/" { rest.removeLast() }
    return String(rest.trimmingTrailingSlashes)
  }
}

extension String {
  /// The path without trailing slashes, except for a path that is only slashes, which keeps one.
  package var withoutTrailingSlashes: String { String(self[...].trimmingTrailingSlashes) }
}

extension Substring {
  /// The path without trailing slashes, except for a path that is only slashes, which keeps one.
  fileprivate var trimmingTrailingSlashes: Substring {
    var rest = self
    while rest.count > 1, rest.last == "/" { rest.removeLast() }
    return rest
  }
}
