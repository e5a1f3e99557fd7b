import HeavyliftModel

extension MappingExplanation: CustomStringConvertible {
  /// A table for each entity mapping, about 120 columns wide.
  package var description: String { text(width: 120) }

  /// Returns a table for each entity mapping. Long text continues on the next line; a single long word or string
  /// literal may exceed the width.
  package func text(width: Int) -> String {
    var parts: [String] = []
    if source != nil || destination != nil {
      let pass = pass.map { ", pass \($0)" } ?? ""
      parts.append("\((source ?? "?").printable) → \((destination ?? "?").printable)\(pass)\n")
    }
    parts += entityMappings.map { $0.text(width: max(width, 40)) }
    if !droppedEntities.isEmpty {
      parts.append(Self.list("unmapped source entities", droppedEntities, width))
    }
    if !unfilledEntities.isEmpty {
      parts.append(Self.list("unfilled destination entities", unfilledEntities, width))
    }
    return parts.joined(separator: "\n")
  }

  fileprivate static func list(_ title: String, _ names: [String], _ width: Int, indent: String = "") -> String {
    let text = "\(indent)\(title): \(names.map(\.printable).joined(separator: ", "))"
    return WrappedText(text, width: width).lines.enumerated()
      .map { $0 == 0 ? "\($1)\n" : "\(indent)  \($1)\n" }.joined()
  }
}

extension EntityMappingExplanation {
  fileprivate func text(width: Int) -> String {
    let sides = [sourceEntity, destinationEntity].map { $0?.printable ?? "-" }.joined(separator: " → ")
    let place = location.map { "  \($0.description.printable)" } ?? (origin == .implied ? "  implied" : "")
    var text = "\(name.printable) (\(type.word)): \(sides)\(place)\n"
    for (title, value) in [("where", filter), ("objects from", sourceExpression), ("policy", policy)] {
      guard let value else { continue }
      text += ExplanationTable.hanging("  \(title) ", value.printable, width: width)
    }
    text += ExplanationTable(properties, file: location?.file, width: width).text
    if !droppedProperties.isEmpty {
      text += MappingExplanation.list("drops", droppedProperties, width, indent: "  ")
    }
    if !unreadProperties.isEmpty {
      text += MappingExplanation.list("nothing reads", unreadProperties, width, indent: "  ")
    }
    return text
  }
}

/// A table of properties.
private struct ExplanationTable {
  private static let treatmentWidth = PropertyMappingExplanation.Treatment.allCases.map(\.rawValue.count).max() ?? 0
  private static let gap = 2

  private let rows: [(name: String, value: String, treatment: String, reason: String)]
  private let width: Int

  /// - Parameter file: The file to omit from locations.
  init(_ properties: [PropertyMappingExplanation], file: String?, width: Int) {
    self.width = width
    rows = properties.map { property in
      (
        property.name.printable, property.value.printable, property.treatment.rawValue,
        property.location.map { property.why + $0.text(in: file) } ?? property.reason.printable
      )
    }
  }

  var text: String { width < 64 ? list : table }

  /// Two lines for each property, for narrow terminals.
  private var list: String {
    rows.map { row in
      Self.hanging("  \(row.name) ← ", row.value, width: width)
        + Self.hanging("    \(row.treatment)  ", row.reason, width: width)
    }.joined()
  }

  private var table: String {
    let names = min(rows.map(\.name.count).max() ?? 0, width / 4)
    let longest = rows.map(\.value.count).max() ?? 0
    let reasons = min(rows.map(\.reason.count).max() ?? 0, width * 3 / 8)
    let fixed = 2 + names + 3 + 2 * Self.gap + Self.treatmentWidth
    // Space that one column does not need goes to the other.
    let values = max(min(longest, width - fixed - reasons), 10)
    return rows.map { row in
      let (name, value) = (WrappedText(row.name, width: names).lines, WrappedText(row.value, width: values).lines)
      let reason = WrappedText(row.reason, width: max(width - fixed - values, 10)).lines
      return (0..<max(name.count, value.count, reason.count)).map { line in
        func cell(_ lines: [String], _ width: Int) -> String {
          let text = line < lines.count ? lines[line] : ""
          return text + String(repeating: " ", count: max(0, width - text.count))
        }
        let arrow = line == 0 ? " ← " : "   "
        let treatment = cell(line == 0 ? [row.treatment] : [], Self.treatmentWidth)
        let whole = "  \(cell(name, names))\(arrow)\(cell(value, values))  \(treatment)  \(cell(reason, 0))"
        return whole.trimmingTrailingSpaces + "\n"
      }.joined()
    }.joined()
  }

  /// Returns a title followed by text, with continuation lines indented to the text's start.
  static func hanging(_ title: String, _ text: String, width: Int) -> String {
    let lines = WrappedText(text, width: max(width - title.count, 20)).lines
    let indent = String(repeating: " ", count: title.count)
    return lines.enumerated().map { "\($0 == 0 ? title : indent)\($1)\n" }.joined()
  }
}

extension PropertyMappingExplanation {
  /// The value: an expression, or the value of a new object.
  package var value: String {
    if let inverse { return "inverse \(inverse.quotedName)" }
    if let value = relatedObjects?.description ?? expression { return value }
    if treatment == .empty || defaultValue == nil { return kind == .attribute ? "nil" : "no objects" }
    return defaultValue ?? "nil"
  }

  /// The reason, if the location alone does not explain it.
  fileprivate var why: String { treatment == .computed ? "" : "\(reason.printable), " }
}

extension DiagnosticLocation {
  fileprivate func text(in file: String?) -> String {
    self.file == file ? "\(line):\(column)" : description.printable
  }
}

extension String {
  /// The text for a terminal, with control characters escaped.
  fileprivate var printable: String {
    if isPlainASCII { return self }
    var shown = ""
    for scalar in unicodeScalars {
      if scalar.properties.generalCategory == .control || scalar.properties.isBidiControl {
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  fileprivate var trimmingTrailingSpaces: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
