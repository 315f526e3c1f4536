package import Bytes

/// A member of an event's JSON object.
package typealias EventField = (key: String, value: JSON)
