/// The vectors that are not followed, each with the reason.
enum VectorDeviation {
  static let all: [Int: String] = [:]
}
