import CLibXML2
import HeavyliftArchive
import HeavyliftModel

/// Checks with libxml2 that text is well-formed XML, and reports everything that is wrong.
///
/// Nothing is fetched and nothing is expanded: a document type with declarations is rejected before libxml2 sees the
/// text, and without declarations no entity can expand.
struct XMLWellFormedness {
  var bytes: [UInt8]
  var file: String?
  var limits: XMLLimits

  func check() throws(DiagnosticList) {
    try refuseEmptyText()
    try refuseDeclarations()
    try refuseManyAttributes()
    let witness = XMLWitness(limits: limits)
    guard parse(with: witness) else {
      throw DiagnosticList([
        Diagnostic(.error, code: "xml.no-memory", problem: "not enough memory to read the file", remedy: nil)
      ])
    }
    if let position = witness.tooDeep {
      throw failure(
        "xml.too-deep", "elements are nested more than \(limits.maximumDepth) levels deep",
        "no model or mapping is that deep: check that this is the right file", at: position)
    }
    if let position = witness.tooMany {
      throw failure(
        "xml.too-many-elements", "the file has more than \(limits.maximumElements) elements",
        "no model or mapping has that many: check that this is the right file", at: position)
    }
    guard witness.complaints.isEmpty else {
      if let conflicts = MergeConflicts(in: bytes) { throw DiagnosticList([conflicts.diagnostic(file: file)]) }
      throw DiagnosticList(
        witness.complaints.map {
          let complaint = $0.seen(in: bytes)
          return complaint.diagnostic(location: location(of: complaint.position))
        })
    }
  }

  /// Parses with libxml2; returns false if there was not enough memory.
  private func parse(with witness: XMLWitness) -> Bool {
    xmlInitParser()  // runs once per process
    guard let context = xmlNewParserCtxt() else { return false }
    defer { xmlFreeParserCtxt(context) }
    let offset = bytes.byteOrderMarkLength
    witness.observe(context, offset: offset)
    let options = XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue
    let document = bytes.withUnsafeBytes { buffer in
      let text = buffer.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
      return xmlCtxtReadMemory(context, text, Int32(buffer.count - offset), nil, nil, Int32(options))
    }
    if let document { xmlFreeDoc(document) }
    if context.pointee.wellFormed == 0, witness.complaints.isEmpty, !witness.hasStopped {
      witness.complaints.append(XMLComplaint(text: "the text is not well-formed", position: 0))
    }
    return true
  }

  private func refuseEmptyText() throws(DiagnosticList) {
    if bytes.dropFirst(bytes.byteOrderMarkLength).allSatisfy(\.isXMLSpace) {
      throw failure("xml.empty", "the file is empty", "restore it from a backup, or save it again", at: 0)
    }
  }

  /// Rejects a document type with declarations: they could define default attributes, or entities that expand to
  /// gigabytes.
  private func refuseDeclarations() throws(DiagnosticList) {
    var position = bytes.byteOrderMarkLength
    while position < bytes.count {
      let rest = bytes[position...]
      if rest.starts(with: "<!--".utf8) {
        guard let end = index(behind: "-->", from: position + 4) else { return }
        position = end
      } else if rest.starts(with: "<?".utf8) {
        guard let end = index(behind: "?>", from: position + 2) else { return }
        position = end
      } else if rest.starts(with: "<!DOCTYPE".utf8) {
        return try refuseInternalSubset(from: position)
      } else if bytes[position].isXMLSpace {
        position += 1
      } else {
        return
      }
    }
  }

  private func refuseInternalSubset(from start: Int) throws(DiagnosticList) {
    var quote: UInt8?
    for index in start..<bytes.count {
      switch (bytes[index], quote) {
      case (0x5B, nil):
        throw failure(
          "xml.document-type", "the document type declares its own entities or attributes",
          "write their text where they are used, and remove the part in brackets", at: index)
      case (0x3E, nil): return
      case (let byte, let open?) where byte == open: quote = nil
      case (0x22, nil), (0x27, nil): quote = bytes[index]
      default: break
      }
    }
  }

  /// Rejects an element with more attributes than the limit: libxml2 finds duplicates by comparing every pair.
  private func refuseManyAttributes() throws(DiagnosticList) {
    var position = bytes.byteOrderMarkLength
    while let start = bytes.firstIndex(of: 0x3C, from: position) {
      let rest = bytes[start...]
      let skipped: Int?
      if rest.starts(with: "<!--".utf8) {
        skipped = index(behind: "-->", from: start + 4)
      } else if rest.starts(with: "<![CDATA[".utf8) {
        skipped = index(behind: "]]>", from: start + 9)
      } else if rest.starts(with: "<?".utf8) {
        skipped = index(behind: "?>", from: start + 2)
      } else {
        skipped = try endOfTag(from: start)
      }
      // libxml2 reports markup that is never closed.
      guard let skipped else { return }
      position = skipped
    }
  }

  /// Returns the index after a tag, or the index of a `<` inside it, which is a mistake; nil if the text ends first.
  private func endOfTag(from start: Int) throws(DiagnosticList) -> Int? {
    var count = 0
    var quote: UInt8?
    for index in (start + 1)..<bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case 0x3C: return index
      case 0x3E: return index + 1
      case 0x22, 0x27: quote = byte
      case 0x3D: count += 1
      default: break
      }
      guard count <= limits.maximumAttributes else {
        throw failure(
          "xml.too-many-attributes", "an element has more than \(limits.maximumAttributes) attributes",
          "no model or mapping has that many: check that this is the right file", at: start)
      }
    }
    return nil
  }

  private func index(behind text: String, from start: Int) -> Int? {
    let wanted = Array(text.utf8)
    var index = start
    while index + wanted.count <= bytes.count {
      if bytes[index...].starts(with: wanted) { return index + wanted.count }
      index += 1
    }
    return nil
  }

  private func location(of position: Int) -> DiagnosticLocation {
    let cursor = XMLCursor(of: position, in: bytes)
    return DiagnosticLocation(file: file, line: cursor.line, column: cursor.column)
  }

  private func failure(_ code: String, _ problem: String, _ remedy: String, at position: Int) -> DiagnosticList {
    DiagnosticList([
      Diagnostic(.error, code: code, problem: problem, remedy: remedy, location: location(of: position))
    ])
  }
}
