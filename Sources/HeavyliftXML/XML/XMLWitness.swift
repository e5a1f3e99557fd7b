import CLibXML2

/// Collects libxml2's errors about one text from the parser that reads it, so that nothing is printed and parsers in
/// other threads do not interfere.
final class XMLWitness {
  var complaints: [XMLComplaint] = []
  /// The position at which the nesting became too deep.
  var tooDeep: Int?
  /// The position at which there were too many elements.
  var tooMany: Int?
  private let limits: XMLLimits
  private var depth = 0
  private var count = 0
  /// The number of bytes before the text that the parser reads, such as those of a byte-order mark.
  private var offset = 0

  /// A damaged file can cause a complaint per byte; no user reads more than this many.
  private static let maximumComplaints = 50

  init(limits: XMLLimits) { self.limits = limits }

  /// Makes the parser report to this witness, which must exist until parsing ends.
  func observe(_ context: xmlParserCtxtPtr, offset: Int) {
    self.offset = offset
    context.pointee._private = Unmanaged.passUnretained(self).toOpaque()
    guard let handlers = context.pointee.sax else { return }
    // Only the errors are needed: without these handlers, libxml2 builds no tree.
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

  /// True if the parser was stopped.
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
    // To readers that ignore namespaces, an undeclared prefix is simply part of the name.
    guard error.level != XML_ERR_WARNING, error.domain != Int32(XML_FROM_NAMESPACE.rawValue) else { return }
    guard complaints.count < Self.maximumComplaints, !hasStopped else { return }
    var complaint = complaint
    complaint.position += offset
    // Further errors at the same position follow from the first one.
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
