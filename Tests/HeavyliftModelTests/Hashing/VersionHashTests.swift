import Foundation
import HeavyliftModel
import Testing

@Suite struct VersionHashTests {
  @Test func `the hexadecimal form reads back`() {
    let hash = VersionHash(bytes: Data([0x00, 0x0f, 0xa0, 0xff]))
    #expect(hash.hexadecimal == "000fa0ff")
    #expect("\(hash)" == "000fa0ff")
    #expect(VersionHash(hexadecimal: "000fa0ff") == hash)
    #expect(VersionHash(hexadecimal: "000FA0FF") == hash)
    #expect(VersionHash(hexadecimal: "") == VersionHash(bytes: Data()))
  }

  @Test(arguments: ["0", "0g", "+1", "-1", " 1", "1 ", "٠٠", "0x", "000"])
  func `what is not pairs of hexadecimal digits is no hash`(text: String) {
    #expect(VersionHash(hexadecimal: text) == nil)
  }
}
