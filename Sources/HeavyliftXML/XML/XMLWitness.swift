import CLibXML2

/// Takes down what libxml2 says about one text, on the parser of that text alone: nothing is printed, and parsers in
/// other threads do not meet.
final class XMLWitness {
  var complaints: [XMLComplaint] = []
  /// Where elements became too deep.
  var tooDeep: Int?
  /// Where elements became too many.
  var tooMany: Int?
  private let limits: XMLLimits
  private var depth = 0
  private var count = 0
  /// The bytes before the text that the parser was given.
  private var offset = 0

  /// A damaged file can give a complaint a byte; nobody reads more than these.
  private static let maximumComplaints = 50

  init(limits: XMLLimits) { self.limits = limits }

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

  /// Whether the parser was told to go no further.
  var hasStopped: Bool { tooDeep != nil || tooMany != nil }

  private func enter(_ context: UnsafeMutableRawPointer?) {
    depth += 1
    count += 1
    guard depth > limits.maximumDepth || count > limits.maximumElements, !hasStopped else { return }
    let position = offset + XMLWitness.position(in: context)
    if depth > limits.maximumDepth { tooDeep = position } else { tooMany = position }
    xmlStopParser(context?.assumingMemoryBound(to: xmlParserCtxt.self))
  }

  private func hear(_ complaint: XMLComplaint, _ error: xmlError) {
    // A namespace prefix that nobody declared is a name like another to readers that know no namespaces.
    guard error.level != XML_ERR_WARNING, error.domain != Int32(XML_FROM_NAMESPACE.rawValue) else { return }
    guard complaints.count < Self.maximumComplaints, !hasStopped else { return }
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
