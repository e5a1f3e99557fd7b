import CLibXML2
import HeavyliftModel

/// One error from libxml2.
struct XMLComplaint: Equatable {
  var code: UInt32 = 0
  /// libxml2's message.
  var text: String
  /// The names in the message.
  var names: [String] = []
  /// The line number in the message.
  var line = 0
  /// The parser's position, in bytes.
  var position: Int
  /// The first bytes after that position.
  var following: [UInt8] = []
  /// True if an XML declaration, a comment or other markup precedes that position.
  var isBehindMarkup = false

  init(text: String, position: Int) {
    self.text = text
    self.position = position
  }

  init(_ error: xmlError, position: Int) {
    code = UInt32(bitPattern: error.code)
    text = error.message.map { String(cString: $0) } ?? "the text is not well-formed"
    names = [error.str1, error.str2, error.str3].map { $0.map { String(cString: $0) } ?? "" }
    line = Int(error.int1)
    self.position = position
  }
}

extension XMLComplaint {
  /// The complaint in Heavylift's words if it is a common one, otherwise in libxml2's.
  func diagnostic(location: DiagnosticLocation) -> Diagnostic {
    let wording = usualWording ?? Wording("xml.malformed", plainText, "make the file well-formed XML")
    return Diagnostic(
      .error, code: wording.code, problem: wording.problem, remedy: wording.remedy, location: location)
  }

  private static let curlyQuotes = ["\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{2019}", "\u{AB}"].map {
    Array($0.utf8)
  }

  /// Returns the complaint with details from the file's bytes.
  func seen(in bytes: [UInt8]) -> XMLComplaint {
    var complaint = self
    let place = min(max(position, 0), bytes.count)
    complaint.following = Array(bytes[place...].prefix(4))
    complaint.isBehindMarkup = bytes[..<place].contains(0x3C)
    complaint.position = start(in: bytes[..<place]) ?? position
    return complaint
  }

  /// Returns the start of the construct that is never closed or is misplaced.
  private func start(in read: ArraySlice<UInt8>) -> Int? {
    switch code {
    case XML_ERR_COMMENT_NOT_FINISHED.rawValue: Self.last("<!--", in: read)
    case XML_ERR_CDATA_NOT_FINISHED.rawValue: Self.last("<![CDATA[", in: read)
    case XML_ERR_RESERVED_XML_NAME.rawValue: Self.last("<?", in: read)
    default: nil
    }
  }

  private static func last(_ text: String, in bytes: ArraySlice<UInt8>) -> Int? {
    let wanted = Array(text.utf8)
    return bytes.indices.dropLast(wanted.count - 1).last { bytes[$0...].starts(with: wanted) }
  }

  private struct Wording {
    var code: String
    var problem: String
    var remedy: String

    init(_ code: String, _ problem: String, _ remedy: String) {
      self.code = code
      self.problem = problem
      self.remedy = remedy
    }
  }

  private var usualWording: Wording? {
    switch code {
    case _ where text.contains("too long") || text.contains("too big") || text.contains("limit exceeded"):
      Wording("xml.too-large", "some text or an attribute value is too large", "check that this is the right file")
    case XML_ERR_TAG_NAME_MISMATCH.rawValue:
      Wording(
        "xml.tag-mismatch", "element '\(names[0])' on line \(line) is closed by '</\(names[1])>'",
        "write '</\(names[0])>' before it, or correct the name of the end tag")
    case XML_ERR_TAG_NOT_FINISHED.rawValue where line > 0 && !names[0].isEmpty:
      Wording(
        "xml.truncated", "the file ends inside element '\(names[0])', which begins on line \(line)",
        "add the missing '</\(names[0])>', or restore the file from a backup")
    case XML_ERR_TAG_NOT_FINISHED.rawValue,
      XML_ERR_ATTRIBUTE_WITHOUT_VALUE.rawValue where following.isEmpty:
      Wording(
        "xml.truncated", "the file ends inside an element", "restore it from a backup, or add the missing end tags")
    case XML_ERR_ATTRIBUTE_REDEFINED.rawValue:
      Wording("xml.attribute-twice", "attribute '\(names[0])' appears twice in one element", "keep one of the two")
    case XML_ERR_UNDECLARED_ENTITY.rawValue, XML_WAR_UNDECLARED_ENTITY.rawValue:
      Wording(
        "xml.unknown-entity", "entity '&\(names[0]);' is not declared", "write the text itself, or '&amp;' for '&'")
    case XML_ERR_NAME_REQUIRED.rawValue where text.hasPrefix("xmlParseEntityRef"):
      Wording("xml.bare-ampersand", "'&' does not begin an entity here", "write '&amp;' for '&'")
    case XML_ERR_ENTITYREF_SEMICOL_MISSING.rawValue:
      Wording("xml.bare-ampersand", "'&' begins an entity that has no ';'", "write '&amp;' for '&'")
    case XML_ERR_LT_IN_ATTRIBUTE.rawValue:
      Wording(
        "xml.bare-less-than", "'<' is inside an attribute value", "write '&lt;' for '<', or add the missing quote")
    case XML_ERR_DOCUMENT_EMPTY.rawValue where isBehindMarkup:
      Wording(
        "xml.no-root", "the root element is missing",
        "restore the file from a backup, or write it again")
    case XML_ERR_DOCUMENT_EMPTY.rawValue:
      Wording("xml.not-xml", "the beginning of the file is not XML", "check that this is the right file")
    case XML_ERR_DOCUMENT_END.rawValue:
      Wording(
        "xml.extra-content", "something follows the end of the root element",
        following.starts(with: "<".utf8) ? "remove it, or move it to a file of its own" : "remove it")
    case XML_ERR_ATTRIBUTE_NOT_STARTED.rawValue where Self.curlyQuotes.contains(where: following.starts):
      Wording("xml.curly-quotes", "a value is in typographic quotes", "write straight quotes: \"…\"")
    case XML_ERR_ATTRIBUTE_NOT_STARTED.rawValue:
      Wording("xml.unquoted-value", "the value of an attribute has no quotes", "put the value in double quotes")
    case XML_ERR_ATTRIBUTE_WITHOUT_VALUE.rawValue:
      Wording(
        "xml.attribute-without-value", "an attribute has no value", "write its value in double quotes: name=\"…\"")
    case XML_ERR_SPACE_REQUIRED.rawValue where text.hasPrefix("attributes construct"):
      Wording(
        "xml.quote-in-value", "the value of an attribute ends here, but there is no space behind it",
        "write '&quot;' for each '\"' inside the value, or enclose the value in the other kind of quotes")
    case XML_ERR_RESERVED_XML_NAME.rawValue where text.hasPrefix("XML declaration"):
      Wording(
        "xml.late-declaration", "the XML declaration is not at the start of the file",
        "remove everything before it, including blank lines, or remove the declaration if it is a second one")
    case XML_ERR_COMMENT_NOT_FINISHED.rawValue:
      Wording("xml.truncated", "a comment is never closed", "close it with '-->'")
    case XML_ERR_CDATA_NOT_FINISHED.rawValue:
      Wording("xml.truncated", "a CDATA section is never closed", "close it with ']]>'")
    case XML_ERR_HYPHEN_IN_COMMENT.rawValue:
      Wording(
        "xml.hyphens-in-comment", "'--' is not allowed inside a comment",
        "write '-' instead: XML reserves '--' for the end of a comment")
    case XML_ERR_INVALID_CHAR.rawValue:
      Wording("xml.forbidden-character", "this character is forbidden in XML", "remove it")
    case XML_ERR_ATTRIBUTE_NOT_FINISHED.rawValue:
      Wording(
        "xml.truncated", "the value of an attribute is never closed",
        "add the missing quote, or restore the rest of the file from a backup")
    default: nil
    }
  }

  /// libxml2's message in Heavylift's style: one line, lower case, without names of C functions.
  private var plainText: String {
    var words = text.trimmingPrefix { $0.isWhitespace }
    if let colon = words.range(of: ": "), words.hasPrefix("xml") { words = words[colon.upperBound...] }
    let line = words.split(whereSeparator: \.isNewline).first ?? "the text is not well-formed"
    // An abbreviation keeps its capitals.
    let isWord = line.dropFirst().first?.isLowercase ?? true
    return isWord ? line.prefix(1).lowercased() + line.dropFirst() : String(line)
  }
}
