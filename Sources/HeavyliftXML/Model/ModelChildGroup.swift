/// An element's current children of one kind.
struct ModelChildGroup {
  /// One child.
  struct Item {
    /// The child's name in the file; nil for a new child.
    var key: String?
    /// The child's current name.
    var name: String
    /// Returns the child's text; nil if there is nothing to write. `line` is the line break and indentation before the
    /// child; `written` is the source text of a child that has no markup of its own.
    var text: (_ line: String, _ written: String?) -> String?
  }

  var element: String
  /// True if the order of the items matters. Otherwise, they stay in the file's order.
  var isOrdered = false
  var items: [Item]
}

extension ModelChildGroup {
  /// Creates a group with one child, whose contents belong to its parent's description.
  init(stating element: String, _ text: @escaping (_ line: String, _ written: String?) -> String?) {
    self.init(element: element, items: [Item(key: "", name: "", text: text)])
  }
}
