/// The parameters of an attribute that do not depend on its type.
struct AttributeParameters: Sendable {
  var name: String?
  var options: [AttributeOption] = []
  var originalName: String?
  var hashModifier: String?
  var minimumLength: Int?
  var maximumLength: Int?
  var pattern: String?
  var isOptional: Bool?
  var derivation: String?
  var userInfo: [String: String] = [:]

  func has(_ option: AttributeOption) -> Bool { options.contains(option) }

  var transformer: String? {
    options.lazy.compactMap { if case .transformable(let name) = $0.kind { name } else { nil } }.first
  }
}
