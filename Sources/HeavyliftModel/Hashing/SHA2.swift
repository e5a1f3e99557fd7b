import Foundation

/// An incremental SHA-2 digest as in FIPS 180-4.
///
/// This is our own implementation, because two digests do not justify linking a cryptography library into every program
/// that uses Heavylift. Words of both sizes are kept in 64 bits: generic code would take a hundred times as long in a
/// debug build, where it is not specialized.
package struct SHA2: Sendable {
  /// The digests of the family, which differ in the size of their words.
  package enum Variant: Sendable {
    case sha256
    case sha512
  }

  private let variant: Variant
  private var state: [UInt64]
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0

  /// Creates an empty digest.
  package init(_ variant: Variant) {
    self.variant = variant
    let parameters = variant.parameters
    // SHA-256's constants are the upper halves of SHA-512's.
    state = SHA2Constants.initial.map { $0 >> (64 - parameters.wordBits) }
    pending.reserveCapacity(parameters.blockSize)
  }

  /// Returns the digest of the bytes.
  package static func digest(_ variant: Variant, of bytes: some Sequence<UInt8>) -> Data {
    var digest = SHA2(variant)
    digest.update(bytes)
    return digest.finalize()
  }

  /// Adds bytes to the message.
  package mutating func update(_ bytes: some Sequence<UInt8>) {
    if bytes.withContiguousStorageIfAvailable({ append($0) }) == nil {
      Array(bytes).withUnsafeBufferPointer { append($0) }
    }
  }

  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    let blockSize = variant.parameters.blockSize
    byteCount += UInt64(bytes.count)
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = rest.prefix(blockSize - pending.count)
      pending.append(contentsOf: part)
      rest = rest.dropFirst(part.count)
      if pending.count == blockSize { compress() }
    }
  }

  /// Ends the message and returns its digest: 32 bytes for SHA-256, 64 for SHA-512.
  package consuming func finalize() -> Data { Data(finalizedBytes()) }

  /// Ends the message and returns its digest.
  consuming func finalizedBytes() -> [UInt8] {
    let (bitCount, parameters) = (byteCount * 8, variant.parameters)
    pending.append(0x80)
    // The length takes the last two words of a block. If it does not fit, it goes into an additional block.
    if pending.count > parameters.blockSize - 2 * parameters.wordSize {
      pending.append(contentsOf: repeatElement(0, count: parameters.blockSize - pending.count))
      compress()
    }
    pending.append(contentsOf: repeatElement(0, count: parameters.blockSize - 8 - pending.count))
    Self.append(bitCount, size: 8, to: &pending)
    compress()
    // `compress` has emptied the block.
    for word in state { Self.append(word, size: parameters.wordSize, to: &pending) }
    return pending
  }

  /// Appends the last bytes of a word, the highest one first.
  private static func append(_ word: UInt64, size: Int, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0.suffix(size)) }
  }

  private mutating func compress() {
    let (variant, constants) = (variant, SHA2Constants.rounds)
    pending.withUnsafeBufferPointer { block in
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: variant.parameters.roundCount) { schedule in
        state.withUnsafeMutableBufferPointer { state in
          constants.withUnsafeBufferPointer { constants in
            guard let block = block.baseAddress, let schedule = schedule.baseAddress, let state = state.baseAddress,
              let constants = constants.baseAddress
            else { return }
            // Each call is compiled with its own parameters as constants.
            switch variant {
            case .sha256: Parameters.sha256.compress(block, into: state, schedule, constants)
            case .sha512: Parameters.sha512.compress(block, into: state, schedule, constants)
            }
          }
        }
      }
    }
    pending.removeAll(keepingCapacity: true)
  }
}

extension SHA2.Variant {
  fileprivate var parameters: Parameters { self == .sha256 ? .sha256 : .sha512 }
}

/// The parameters of one digest of the SHA-2 family.
private struct Parameters: Sendable {
  typealias Turns = (UInt64, UInt64, UInt64)

  let wordBits: UInt64
  let roundCount: Int
  /// The numbers of bits by which the message schedule rotates words (twice) and shifts them (once).
  let schedule: (early: Turns, late: Turns)
  /// The numbers of bits by which a round rotates words.
  let round: (mixed: Turns, turned: Turns)

  static var sha256: Parameters {
    Parameters(wordBits: 32, roundCount: 64, schedule: ((7, 18, 3), (17, 19, 10)), round: ((6, 11, 25), (2, 13, 22)))
  }
  static var sha512: Parameters {
    Parameters(wordBits: 64, roundCount: 80, schedule: ((1, 8, 7), (19, 61, 6)), round: ((14, 18, 41), (28, 34, 39)))
  }

  var wordSize: Int { Int(wordBits) / 8 }
  var blockSize: Int { 16 * wordSize }

  /// Mixes a block into the state. Pointers and loops without ranges, for the sake of debug builds.
  @inline(__always)
  func compress(
    _ block: UnsafePointer<UInt8>, into state: UnsafeMutablePointer<UInt64>, _ words: UnsafeMutablePointer<UInt64>,
    _ constants: UnsafePointer<UInt64>
  ) {
    let (mask, size, shift) = (UInt64.max &>> (64 &- wordBits), wordSize, 64 &- wordBits)
    var index = 0
    while index < 16 {
      var word: UInt64 = 0
      var place = index &* size
      while place < (index &+ 1) &* size {
        word = word &<< 8 | UInt64(block[place])
        place &+= 1
      }
      words[index] = word
      index &+= 1
    }
    while index < roundCount {
      let (before, after) = (words[index &- 15], words[index &- 2])
      let (wideBefore, wideAfter) = (doubled(before), doubled(after))
      let first =
        rotated(wideBefore, schedule.early.0) ^ rotated(wideBefore, schedule.early.1) ^ before &>> schedule.early.2
      let second =
        rotated(wideAfter, schedule.late.0) ^ rotated(wideAfter, schedule.late.1) ^ after &>> schedule.late.2
      words[index] = (words[index &- 16] &+ first &+ words[index &- 7] &+ second) & mask
      index &+= 1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    index = 0
    while index < roundCount {
      let (wideE, wideA) = (doubled(e), doubled(a))
      let mixed = rotated(wideE, round.mixed.0) ^ rotated(wideE, round.mixed.1) ^ rotated(wideE, round.mixed.2)
      let chosen = e & f ^ ~e & g
      let added = h &+ mixed &+ chosen &+ constants[index] &>> shift &+ words[index]
      let turned = rotated(wideA, round.turned.0) ^ rotated(wideA, round.turned.1) ^ rotated(wideA, round.turned.2)
      let majority = a & b ^ a & c ^ b & c
      (h, g, f, e) = (g, f, e, (d &+ added) & mask)
      (d, c, b, a) = (c, b, a, (added &+ turned &+ majority) & mask)
      index &+= 1
    }
    state[0] = (state[0] &+ a) & mask
    state[1] = (state[1] &+ b) & mask
    state[2] = (state[2] &+ c) & mask
    state[3] = (state[3] &+ d) & mask
    state[4] = (state[4] &+ e) & mask
    state[5] = (state[5] &+ f) & mask
    state[6] = (state[6] &+ g) & mask
    state[7] = (state[7] &+ h) & mask
  }

  /// Returns a word of 32 bits twice, so that all 64 bits can be rotated; a word of 64 bits as it is. The upper half is
  /// garbage after the rotation, and cut off when the sum is.
  private func doubled(_ word: UInt64) -> UInt64 { word | word &<< wordBits }

  private func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 { word &>> count | word &<< (64 &- count) }
}
