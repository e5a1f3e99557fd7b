import Foundation

/// The SHA-512 digest of FIPS 180-4, fed piece by piece.
///
/// Two digests of a model's description do not deserve a cryptography library in every program that embeds this one.
package struct SHA512 {
  private static let blockSize = 128
  private static let roundConstants = SHA2Constants.rounds

  private var state: [UInt64] = SHA2Constants.initial
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0
  private var schedule = [UInt64](repeating: 0, count: 80)

  /// Starts with nothing fed.
  package init() { pending.reserveCapacity(Self.blockSize) }

  /// The digest of the bytes.
  package static func digest(of bytes: some Sequence<UInt8>) -> Data {
    var hash = SHA512()
    hash.update(bytes)
    return hash.finalize()
  }

  /// Feeds bytes.
  package mutating func update(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      pending.append(byte)
      byteCount += 1
      if pending.count == Self.blockSize { compress() }
    }
  }

  /// Ends the message and gives its digest of 64 bytes.
  package consuming func finalize() -> Data {
    let bitCount = byteCount * 8
    pending.append(0x80)
    // The length takes the last 16 bytes of a block: what does not fit beside it moves to a block of its own.
    if pending.count > Self.blockSize - 16 {
      pending.append(contentsOf: repeatElement(0, count: Self.blockSize - pending.count))
      compress()
    }
    pending.append(contentsOf: repeatElement(0, count: Self.blockSize - 8 - pending.count))
    pending.append(contentsOf: Self.bigEndian(bitCount))
    compress()
    return Data(state.flatMap(Self.bigEndian))
  }

  private mutating func compress() {
    for index in 0..<16 {
      schedule[index] = pending[index * 8..<(index + 1) * 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
    for index in 16..<80 {
      let (early, late) = (schedule[index - 15], schedule[index - 2])
      let first = early.rotated(1) ^ early.rotated(8) ^ early >> 7
      let second = late.rotated(19) ^ late.rotated(61) ^ late >> 6
      schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<80 {
      let mixed = e.rotated(14) ^ e.rotated(18) ^ e.rotated(41)
      let chosen = e & f ^ ~e & g
      let added = h &+ mixed &+ chosen &+ Self.roundConstants[index] &+ schedule[index]
      let turned = a.rotated(28) ^ a.rotated(34) ^ a.rotated(39)
      let majority = a & b ^ a & c ^ b & c
      (h, g, f, e) = (g, f, e, d &+ added)
      (d, c, b, a) = (c, b, a, added &+ turned &+ majority)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    pending.removeAll(keepingCapacity: true)
  }

  private static func bigEndian(_ word: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: word.bigEndian, Array.init)
  }
}

extension UInt64 {
  fileprivate func rotated(_ count: UInt64) -> UInt64 { self >> count | self << (64 - count) }
}
