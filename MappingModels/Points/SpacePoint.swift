public import Foundation

/// A point as version 2 of the model archives it.
public final class SpacePoint: NSObject, NSCoding {
  public let coordinates: [Double]

  public init(_ coordinates: [Double]) { self.coordinates = coordinates }

  public init?(coder: NSCoder) { coordinates = ["x", "y", "z"].map { coder.decodeDouble(forKey: $0) } }

  public func encode(with coder: NSCoder) {
    for (key, value) in zip(["x", "y", "z"], coordinates) { coder.encode(value, forKey: key) }
  }
}
