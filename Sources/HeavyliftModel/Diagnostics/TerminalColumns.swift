extension String {
  /// The number of columns that the text takes on a terminal. Control sequences for colors take none.
  package var terminalColumns: Int {
    if isPlainASCII { return utf8.count }
    var (columns, isInSequence) = (0, false)
    for character in self {
      if character == "\u{1B}" {
        isInSequence = true
      } else if isInSequence {
        isInSequence = !character.isLetter
      } else {
        columns += character.unicodeScalars.first.map { $0.isWide ? 2 : 1 } ?? 0
      }
    }
    return columns
  }
}

extension Unicode.Scalar {
  /// True for characters that take two terminal columns: East Asian scripts, full-width forms, and emoji.
  package var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      true
    default: properties.isEmojiPresentation
    }
  }
}
