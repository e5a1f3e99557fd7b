import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@Suite struct SHA2Tests {
  /// FIPS 180-4's examples and the empty message, with both digests.
  static let vectors: [(message: String, sha256: String, sha512: String)] = [
    (
      "",
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
        + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
    ),
    (
      "abc",
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
      "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c335"
        + "96fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
        + "nopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
      "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
        + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
      "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
        + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"
    ),
  ]

  @Test(arguments: vectors.indices)
  func `the standard's examples are digested as it says`(index: Int) {
    let vector = Self.vectors[index]
    #expect(hexadecimal(SHA2.digest(.sha256, of: vector.message.utf8)) == vector.sha256)
    #expect(hexadecimal(SHA2.digest(.sha512, of: vector.message.utf8)) == vector.sha512)
  }

  @Test func `every length over three blocks agrees with the reference`() {
    // The digest of the digests of all messages of 0 to 300 bytes, from another implementation.
    var sha256 = SHA2(.sha256)
    var sha512 = SHA2(.sha512)
    for length in 0...300 {
      let message = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7 + 3) }
      sha256.update(SHA2.digest(.sha256, of: message))
      sha512.update(SHA2.digest(.sha512, of: message))
    }
    #expect(
      hexadecimal(sha256.finalize()) == "7d917fbd2cf49ddff9ad0a8706bba32d204e92e71d2e369c5a03d6af29278c9f")
    #expect(
      hexadecimal(sha512.finalize())
        == "404431b1c0eac12729b20176c61b0e1c561b6b20d2ecbb7ee1126c361943d724"
        + "d7c0814a8daf5c3a2a7d3e431a0aaf58c12f96d8c3370582b777fd375c3c972f")
  }

  @Test(arguments: Seeds.some(of: 1..<21))
  func `fed in pieces or at once, a message has one digest`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let message = (0..<Int.random(in: 0...700, using: &random)).map { _ in
      UInt8.random(in: .min ... .max, using: &random)
    }
    var sha256 = SHA2(.sha256)
    var sha512 = SHA2(.sha512)
    var rest = message[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 0...200, using: &random))
      sha256.update(piece)
      sha512.update(piece)
      rest = rest.dropFirst(piece.count)
    }
    #expect(sha256.finalize() == SHA2.digest(.sha256, of: message), "seed \(seed)")
    #expect(sha512.finalize() == SHA2.digest(.sha512, of: message), "seed \(seed)")
  }

  private func hexadecimal(_ data: Data) -> String { VersionHash(bytes: data).hexadecimal }
}
