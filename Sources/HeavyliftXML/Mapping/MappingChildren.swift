import HeavyliftMapping
import HeavyliftModel

/// The children of an element in a mapping file, each with its comments and blank lines.
struct MappingChildren {
  /// A child with its comments and blank lines.
  struct Child {
    var element: XMLElement
    var markup: MappingMarkup
  }

  private(set) var children: [Child] = []
  private(set) var closingComments: [String] = []
  private(set) var closingBlankLines: Set<Int> = []

  /// Groups nodes by the child they belong to.
  ///
  /// - Parameter parent: The name of the parent element for messages; nil for the nodes around the root element.
  init(of nodes: [XMLNode], in parent: String?, _ findings: inout MappingFindings) {
    var comments: [String] = []
    var blankLines: Set<Int> = []
    var instructions: [MappingForm.Instruction] = []
    // True if the next node is on the line on which a child ended.
    var isBehindChild = false
    for node in nodes {
      switch node {
      case .text(let text):
        if let parent { findings.checkBlank(text, in: parent) }
        let lineFeeds = text.value.unicodeScalars.reduce(0) { $1 == "\n" ? $0 + 1 : $0 }
        if lineFeeds > 0 { isBehindChild = false }
        if lineFeeds > 1 { blankLines.insert(comments.count + instructions.count) }
      case .comment(let comment):
        if isBehindChild, let last = children.indices.last {
          children[last].markup.form.trailingComments.append(comment.value)
        } else {
          comments.append(comment.value)
        }
      case .processingInstruction(let instruction):
        if parent == nil, children.isEmpty {
          instructions.append(MappingForm.Instruction(text: instruction.value, position: comments.count))
        } else {
          findings.reportMisplaced(instruction)
        }
      case .element(let element):
        var markup = MappingMarkup(of: element)
        markup.comments = comments
        markup.form.blankLines = blankLines
        markup.form.instructions = instructions
        children.append(Child(element: element, markup: markup))
        (comments, blankLines, instructions) = ([], [], [])
        isBehindChild = true
      }
    }
    closingComments = comments
    // A blank line before the end tag separates nothing.
    closingBlankLines = blankLines.subtracting([comments.count])
  }
}

extension MappingMarkup {
  /// Creates a markup with the locations of an element and its attributes.
  init(of element: XMLElement) {
    self.init(location: element.location)
    for attribute in element.attributes {
      guard let name = attribute.nameLocation, let value = attribute.valuePlaces else { continue }
      attributes[attribute.name] = Attribute(name: name, value: value)
    }
  }
}

extension MappingMarkup {
  /// Adds the comments after the element's last child.
  mutating func close(with content: MappingChildren) {
    closingComments = content.closingComments
    form.closingBlankLines = content.closingBlankLines
  }
}

extension MappingFindings {
  fileprivate mutating func checkBlank(_ text: XMLText, in parent: String) {
    guard text.value.unicodeScalars.contains(where: { !$0.isXMLSpace }) else { return }
    report(
      "stray-text", "there is text inside element '\(parent)'",
      ["attribute", "relationship"].contains(parent)
        ? "write a value as value=\"…\", and anything else as a comment: <!-- … -->"
        : "remove it, or make it a comment: <!-- … -->",
      at: text.firstVisibleLocation)
  }

  fileprivate mutating func reportMisplaced(_ instruction: XMLText) {
    let target = instruction.value.prefix { !$0.isWhitespace }
    report(
      "misplaced-instruction",
      "the processing instruction '\(String(target).shownInMessage)' is in the wrong place",
      "put it before the root element, or remove it", at: instruction.location)
  }
}

extension XMLText {
  /// The location of the first character that is not white space.
  fileprivate var firstVisibleLocation: DiagnosticLocation? {
    guard let location, written?.hasPrefix("<![CDATA[") != true else { return location }
    let bytes = Array((written ?? value).utf8)
    let end = bytes.firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? 0
    var cursor = XMLCursor(line: location.line, column: location.column)
    cursor.advance(over: bytes, from: 0, to: end)
    return DiagnosticLocation(file: location.file, line: cursor.line, column: cursor.column)
  }
}
