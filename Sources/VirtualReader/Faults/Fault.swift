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
  /// The reply's length checksum is wrong.
  case badLength
  /// The reply's data checksum is wrong.
  case badSum
  /// The reply's postamble is not `00`.
  case badEnd
  /// Only so many bytes of the reply's frame.
  case truncated(Int)
  /// The reply in two writes with this much time between them, on the wall too; no fault for a good host.
  case split(Duration)
  /// ACK and reply in one write; no fault for a good host.
  case joined
  /// The error frame in place of doing anything.
  case errorFrame
  /// This status byte in place of doing anything.
  case status(UInt8)
  /// The tag takes the command for a damaged one and refuses it: NAK of a type 2 tag, silence of others.
  case nak
  /// The command does not reach the tag: no answer, or nothing found.
  case unreached
  /// The tag does what it is told, but its answer is lost: no answer, or nothing found.
  case unanswered
  /// All tags lose power for a moment before the command and forget that they were selected.
  case fieldDrop
  /// All tags are lifted before the command, and come back after this time, or never.
  case liftBefore(comeBack: Duration?)
  /// All tags are lifted after the command's work, before its reply: the tag's answer is lost.
  case liftAfter(comeBack: Duration?)
  /// All tags are lifted in the middle of a WRITE, after which its page holds these four bytes.
  case tear([UInt8], comeBack: Duration?)
  /// All tags are lifted in the middle of a WRITE: the first two bytes of its page are new, the others old.
  case tearInHalf(comeBack: Duration?)
  /// Before the command the next tag of the deck takes the place of the one that lies there.
  case swap
  /// Before the command a second tag of the same kind comes into the field, for this time or until the
  /// deck's tag is taken away.
  case visit(Duration?)
  /// The port vanishes before the command is done; it comes back under another number after this time, or
  /// never.
  case unplug(comeBack: Duration? = nil)
  /// A brown-out: the chip forgets everything, does not answer, and sleeps until bytes wake it, which it loses.
  case reset
  /// The chip is left at this speed, as by a program that was killed, and hears nothing at others.
  case speed(Int)
}
