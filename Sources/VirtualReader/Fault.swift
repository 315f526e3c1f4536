/// The host command before which faults are asked for.
package struct FaultPoint: Sendable, Equatable {
  /// Counted over all host commands, from 1.
  package let number: Int
  /// Counted over the commands that touch a tag or the field, from 1; the last one before this if this is none.
  package let tagCommand: Int
  /// The PN532 command code.
  package let code: UInt8
  /// What follows the code.
  package let parameters: [UInt8]
  /// The place of the deck's tag on the reader, from 1; 0 if there is none.
  package let position: Int
}

/// Something that goes wrong with one host command.
package enum Fault: Sendable, Equatable {
  /// The command is not heard: no ACK, nothing done.
  case noAck
  /// NACK in place of the ACK, nothing done.
  case nack
  /// ACK and all the work, but no reply.
  case noReply
  /// The reply comes this much later, on the wall too.
  case delay(Duration)
  /// These bytes in place of the reply.
  case garbage([UInt8])
  /// The reply's data checksum is wrong.
  case badSum
  /// Only so many bytes of the reply's frame.
  case truncated(Int)
  /// The error frame in place of doing anything.
  case errorFrame
  /// This status byte in place of doing anything.
  case status(UInt8)
  /// All tags are lifted before the command, and come back after this time, or never.
  case liftBefore(comeBack: Duration?)
  /// All tags are lifted after the command's work, before its reply: the tag's answer is lost.
  case liftAfter(comeBack: Duration?)
  /// All tags are lifted in the middle of a WRITE, after which its page holds these four bytes.
  case tear([UInt8], comeBack: Duration?)
  /// The port vanishes before the command is done.
  case unplug
  /// A brown-out: the chip forgets everything and does not answer.
  case reset
}
