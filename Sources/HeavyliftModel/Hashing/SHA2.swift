import Foundation

/// SHA-256 as in FIPS 180-4, with words of 32 bits.
package typealias SHA256 = SHA2<UInt32>

/// SHA-512 as in FIPS 180-4, with words of 64 bits.
package typealias SHA512 = SHA2<UInt64>

/// The parameters of one digest of the SHA-2 family. Everything else follows from the word size.
package protocol SHA2Word: FixedWidthInteger & UnsignedInteger & Sendable {
  /// The numbers of bits by which the message schedule rotates words (twice) and shifts them (once).
  static var scheduleTurns: (early: (Self, Self, Self), late: (Self, Self, Self)) { get }
  /// The numbers of bits by which a round rotates words.
  static var roundTurns: (mixed: (Self, Self, Self), turned: (Self, Self, Self)) { get }
  static var roundCount: Int { get }
  /// Mixes a block into the state.
  ///
  /// Each word type implements this method itself so that the compiler specializes the rounds. Otherwise, each
  /// operation would be called through the protocol's witness table, a hundred times slower.
  static func compress(_ block: [UInt8], into state: inout [Self], _ schedule: inout [Self], _ constants: [Self])
}

extension UInt32: SHA2Word {
  package static var scheduleTurns: (early: (Self, Self, Self), late: (Self, Self, Self)) { ((7, 18, 3), (17, 19, 10)) }
  package static var roundTurns: (mixed: (Self, Self, Self), turned: (Self, Self, Self)) { ((6, 11, 25), (2, 13, 22)) }
  package static var roundCount: Int { 64 }
  package static func compress(
    _ block: [UInt8], into state: inout [Self], _ schedule: inout [Self], _ constants: [Self]
  ) {
    compressed(block, into: &state, &schedule, constants)
  }
}

extension UInt64: SHA2Word {
  package static var scheduleTurns: (early: (Self, Self, Self), late: (Self, Self, Self)) { ((1, 8, 7), (19, 61, 6)) }
  package static var roundTurns: (mixed: (Self, Self, Self), turned: (Self, Self, Self)) {
    ((14, 18, 41), (28, 34, 39))
  }
  package static var roundCount: Int { 80 }
  package static func compress(
    _ block: [UInt8], into state: inout [Self], _ schedule: inout [Self], _ constants: [Self]
  ) {
    compressed(block, into: &state, &schedule, constants)
  }
}

/// An incremental SHA-2 digest.
///
/// This is our own implementation, because two digests do not justify linking a cryptography library into every program
/// that uses Heavylift.
package struct SHA2<Word: SHA2Word> {
  private static var wordSize: Int { Word.bitWidth / 8 }
  private static var blockSize: Int { 16 * wordSize }

  private let roundConstants = SHA2Constants.rounds.prefix(Word.roundCount).map(Self.word)
  private var state = SHA2Constants.initial.map(Self.word)
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0
  private var schedule = [Word](repeating: 0, count: Word.roundCount)

  /// Creates an empty digest.
  package init() { pending.reserveCapacity(Self.blockSize) }

  /// Returns the digest of the bytes.
  package static func digest(of bytes: some Sequence<UInt8>) -> Data {
    var hash = SHA2()
    hash.update(bytes)
    return hash.finalize()
  }

  /// Adds bytes to the message.
  package mutating func update(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      pending.append(byte)
      byteCount += 1
      if pending.count == Self.blockSize { compress() }
    }
  }

  /// Ends the message and returns its digest: 32 bytes for SHA-256, 64 for SHA-512.
  package consuming func finalize() -> Data {
    let bitCount = byteCount * 8
    pending.append(0x80)
    // The length takes the last two words of a block. If it does not fit, it goes into an additional block.
    if pending.count > Self.blockSize - 2 * Self.wordSize {
      pending.append(contentsOf: repeatElement(0, count: Self.blockSize - pending.count))
      compress()
    }
    pending.append(contentsOf: repeatElement(0, count: Self.blockSize - 8 - pending.count))
    pending.append(contentsOf: Self.bigEndian(bitCount))
    compress()
    return Data(state.flatMap(Self.bigEndian))
  }

  private mutating func compress() {
    Word.compress(pending, into: &state, &schedule, roundConstants)
    pending.removeAll(keepingCapacity: true)
  }

  /// SHA-256's constants are the upper halves of SHA-512's.
  private static func word(_ constant: UInt64) -> Word {
    Word(truncatingIfNeeded: constant >> UInt64(64 - Word.bitWidth))
  }

  private static func bigEndian(_ word: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: word.bigEndian, Array.init)
  }
}

extension SHA2Word {
  fileprivate static func compressed(
    _ block: [UInt8], into state: inout [Self], _ schedule: inout [Self], _ constants: [Self]
  ) {
    let size = bitWidth / 8
    let (early, late) = scheduleTurns
    let (mixed, turned) = roundTurns
    for index in 0..<16 {
      schedule[index] = block[index * size..<(index + 1) * size].reduce(0) { $0 << 8 | Self($1) }
    }
    for index in 16..<roundCount {
      let (before, after) = (schedule[index - 15], schedule[index - 2])
      let first = before.rotated(early.0) ^ before.rotated(early.1) ^ before >> early.2
      let second = after.rotated(late.0) ^ after.rotated(late.1) ^ after >> late.2
      schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<roundCount {
      let mixed = e.rotated(mixed.0) ^ e.rotated(mixed.1) ^ e.rotated(mixed.2)
      let chosen = e & f ^ ~e & g
      let added = h &+ mixed &+ chosen &+ constants[index] &+ schedule[index]
      let turned = a.rotated(turned.0) ^ a.rotated(turned.1) ^ a.rotated(turned.2)
      let majority = a & b ^ a & c ^ b & c
      (h, g, f, e) = (g, f, e, d &+ added)
      (d, c, b, a) = (c, b, a, added &+ turned &+ majority)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  fileprivate func rotated(_ count: Self) -> Self { self &>> count | self &<< (Self(Self.bitWidth) &- count) }
}
