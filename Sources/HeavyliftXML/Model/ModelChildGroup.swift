/// The children of one kind that an element has now.
struct ModelChildGroup {
  /// One child.
  struct Item {
    /// The name under which it stood in the file; nil for a new one.
    var key: String?
    /// The name that it has now.
    var name: String
    /// The child as text: given the line break and indentation before it, and how it stood if it holds no markup
    /// itself. Nil if there is nothing to write.
    var text: (_ line: String, _ written: String?) -> String?
  }

  var element: String
  /// Whether the order of the items says something. Otherwise they stay where they stood in the file.
  var isOrdered = false
  var items: [Item]
}

extension ModelChildGroup {
  /// A child that holds facts without a description of their own.
  init(stating element: String, _ text: @escaping (_ line: String, _ written: String?) -> String?) {
    self.init(element: element, items: [Item(key: "", name: "", text: text)])
  }
}
