import CLibXML2

/// Takes down what libxml2 says about one text, on the parser of that text alone: nothing is printed, and parsers in
/// other threads do not meet.
final class XMLWitness {
  var complaints: [XMLComplaint] = []
  /// Where elements became too deep.
  var tooDeep: Int?
  private let maximumDepth: Int
  private var depth = 0
  /// The bytes before the text that the parser was given.
  private var offset = 0

  /// A damaged file can give a complaint a byte; nobody reads more than these.
  private static let maximumComplaints = 50

  init(maximumDepth: Int) { self.maximumDepth = maximumDepth }

  /// Makes the parser tell this witness everything. The witness must outlive the parsing.
  func observe(_ context: xmlParserCtxtPtr, offset: Int) {
    self.offset = offset
    context.pointee._private = Unmanaged.passUnretained(self).toOpaque()
    guard let handlers = context.pointee.sax else { return }
    // The judgement alone is wanted: without these, libxml2 builds no tree.
    handlers.pointee.characters = nil
    handlers.pointee.ignorableWhitespace = nil
    handlers.pointee.cdataBlock = nil
    handlers.pointee.comment = nil
    handlers.pointee.processingInstruction = nil
    handlers.pointee.startElementNs = { context, _, _, _, _, _, _, _, _ in XMLWitness.of(context)?.enter(context) }
    handlers.pointee.endElementNs = { context, _, _, _ in XMLWitness.of(context)?.depth -= 1 }
    handlers.pointee.serror = { context, error in
      guard let error else { return }
      XMLWitness.of(context)?.hear(
        XMLComplaint(error.pointee, position: XMLWitness.position(in: context)), error.pointee)
    }
  }

  private func enter(_ context: UnsafeMutableRawPointer?) {
    depth += 1
    guard depth > maximumDepth, tooDeep == nil else { return }
    tooDeep = offset + XMLWitness.position(in: context)
    xmlStopParser(context?.assumingMemoryBound(to: xmlParserCtxt.self))
  }

  private func hear(_ complaint: XMLComplaint, _ error: xmlError) {
    // A namespace prefix that nobody declared is a name like another to readers that know no namespaces.
    guard error.level != XML_ERR_WARNING, error.domain != Int32(XML_FROM_NAMESPACE.rawValue) else { return }
    guard complaints.count < Self.maximumComplaints, tooDeep == nil else { return }
    var complaint = complaint
    complaint.position += offset
    // Where the parser stumbled it stumbles on: what it says of the same spot again follows from the first mistake.
    if let last = complaints.last, complaint.position <= last.position + 1 { return }
    complaints.append(complaint)
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> XMLWitness? {
    guard let witness = context?.assumingMemoryBound(to: xmlParserCtxt.self).pointee._private else { return nil }
    return Unmanaged<XMLWitness>.fromOpaque(witness).takeUnretainedValue()
  }

  private static func position(in context: UnsafeMutableRawPointer?) -> Int {
    max(0, xmlByteConsumed(context?.assumingMemoryBound(to: xmlParserCtxt.self)))
  }
}
