extension String {
  /// The same as `uppercased()`, but several times faster if most letters are ASCII and some are not.
  var inCapitals: String { changed(to: .upper) { $0.properties.uppercaseMapping } ?? uppercased() }

  /// The same as `lowercased()`, but several times faster if most letters are ASCII and some are not.
  var inSmallLetters: String { changed(to: .lower) { $0.properties.lowercaseMapping } ?? lowercased() }

  /// Returns `nil` for pure ASCII, where Swift is just as fast, or if the result is much longer than the string.
  private func changed(to letterCase: ASCIICase, _ change: (Unicode.Scalar) -> String) -> String? {
    guard !utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    var isWhole = true
    let result = String(unsafeUninitializedCapacity: utf8.count + 16) { bytes in
      var count = 0
      func append(_ byte: UInt8) {
        guard count < bytes.count else {
          isWhole = false
          return
        }
        bytes.initializeElement(at: count, to: byte)
        count += 1
      }
      for scalar in unicodeScalars {
        if scalar.isASCII {
          append(letterCase.changed(UInt8(scalar.value)))
        } else {
          for byte in change(scalar).utf8 { append(byte) }
        }
      }
      return isWhole ? count : 0
    }
    return isWhole ? result : nil
  }
}
