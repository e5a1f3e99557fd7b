public import Foundation

/// A point as version 1 of the model archives it.
public final class PlanePoint: NSObject, NSCoding {
  public let x: Double
  public let y: Double

  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  public init?(coder: NSCoder) { (x, y) = (coder.decodeDouble(forKey: "x"), coder.decodeDouble(forKey: "y")) }

  public func encode(with coder: NSCoder) {
    coder.encode(x, forKey: "x")
    coder.encode(y, forKey: "y")
  }
}
