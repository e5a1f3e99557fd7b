import CLibXML2
import Foundation

/// Canonical XML (C14N 1.0 with comments) by libxml2. Files that differ only in quotes, order of attributes, line
/// endings and the form of empty elements have the same canonical form.
enum XMLCanonicalForm {
  /// Returns the canonical form of trusted text; nil if it is not well-formed.
  static func of(_ data: Data) -> Data? {
    xmlInitParser()
    let options = Int32(XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue)
    let document = data.withUnsafeBytes { buffer in
      xmlReadMemory(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), nil, nil, options)
    }
    guard let document else { return nil }
    defer { xmlFreeDoc(document) }
    var text: UnsafeMutablePointer<xmlChar>?
    let length = xmlC14NDocDumpMemory(document, nil, Int32(XML_C14N_1_0.rawValue), nil, 1, &text)
    guard let text else { return nil }
    defer { free(text) }
    return length < 0 ? nil : Data(bytes: text, count: Int(length))
  }
}
