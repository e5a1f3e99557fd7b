import Foundation
import HeavyliftArchive
import HeavyliftConcurrency
import HeavyliftExpression
import HeavyliftModel

extension XcodeMappingModelReader {
  /// Returns the predicate of a filter; nil if it cannot be parsed or lets every object pass.
  mutating func filter(_ text: XcodeText) -> MappingPredicate? {
    do {
      let filter = try MappingPredicate(parsing: text.value)
      return filter.kind == .literal(true) ? nil : filter
    } catch {
      findings.report(error.diagnostics { text.places.location(ofScalarAt: $0) })
      return nil
    }
  }

  /// Returns the expression of a key path, with `$source` before it even if the file lacks that variable.
  mutating func keyPath(_ text: XcodeText) -> MappingExpression? {
    do {
      let expression = try MappingExpression(parsing: text.value)
      guard case .keyPath(let base, let path) = expression.kind, base.kind == .object else { return expression }
      return MappingExpression(.keyPath(base: MappingExpression(.variable("source")), path))
    } catch {
      findings.report(error.diagnostics { text.places.location(ofScalarAt: $0) })
      return nil
    }
  }

  /// Returns the expression that a value holds as a keyed archive in Base64.
  mutating func expression(_ name: String, of object: XcodeObject, _ place: String) -> MappingExpression? {
    let subject = "the expression of \(place)"
    guard let archive = archive(name, of: object, subject) else { return nil }
    do {
      let archived = try ArchivedExpression(archive.root ?? .null, in: archive, subject: subject)
      return try MappingExpression(archived: archived, subject: subject)
    } catch {
      var error = error
      error.remedy =
        error.code == "archive.unknown-expression"
        ? "rewrite the expression in Xcode, or write it in a mapping file" : "restore the file from a backup"
      findings.report(error, at: object.location(of: name))
      return nil
    }
  }

  /// Returns the dictionary that a value holds as a keyed archive in Base64.
  mutating func userInfo(of object: XcodeObject, _ place: String) -> [String: String] {
    guard object.values["userinfodata"] != nil else { return [:] }
    let subject = "the user info of \(place)"
    guard let archive = archive("userinfodata", of: object, subject) else { return [:] }
    let location = object.location(of: "userinfodata")
    guard let entries = archive.root?.dictionary else {
      if archive.root?.isNull != true {
        findings.report(
          .error, "user-info", "\(subject) is not a dictionary", "restore the file from a backup", at: location)
      }
      return [:]
    }
    let texts = entries.byName.compactMapValues(\.string)
    if texts.count < entries.count {
      findings.report(
        .warning, "user-info", "\(subject) has entries that are not text", "they are skipped: policies see only text",
        at: location)
    }
    return texts
  }

  /// Returns an embedded model, as it was when the mapping was edited. The mapping itself does not depend on it.
  mutating func embeddedModel(_ name: String, of object: XcodeObject, name modelName: String?) -> ManagedObjectModel? {
    guard object.values[name] != nil else { return nil }
    let subject =
      name == "sourcemodeldata" ? "the source model inside the file" : "the destination model inside the file"
    WorkCount.add(.read, "\(subject) '\(object.location?.file ?? "")'")
    guard let archive = archive(name, of: object, subject) else { return nil }
    do {
      var reader = EmbeddedModelReader(archive: archive, subject: subject)
      var model = try reader.model()
      model.name = modelName
      for diagnostic in reader.diagnostics { findings.report(diagnostic, at: object.location(of: name)) }
      return model
    } catch {
      var warning = error
      warning.severity = .warning
      warning.remedy = "it is used only to find later changes; the mapping itself is read without it"
      findings.report(warning, at: object.location(of: name))
      return nil
    }
  }

  private mutating func archive(_ name: String, of object: XcodeObject, _ subject: String) -> KeyedArchive? {
    let location = object.location(of: name)
    // Xcode inserts line breaks; any other character outside Base64 means damage.
    var written = object.values[name]?.textContent ?? ""
    let text = written.withUTF8 { bytes in
      bytes.split { $0.isXMLSpace }.reduce(into: Data()) { $0.append(contentsOf: $1) }
    }
    guard !text.isEmpty, let data = Data(base64Encoded: text) else {
      findings.report(
        .error, "base64", "\(subject) is \(text.isEmpty ? "empty" : "not Base64, or is truncated")",
        "restore the file from a backup", at: location)
      return nil
    }
    do {
      return try KeyedArchive(data: data, subject: subject)
    } catch {
      var error = error
      error.remedy = "restore the file from a backup"
      findings.report(error, at: location)
      return nil
    }
  }
}
