import Bytes
import DataSource
import Declarations
import Diagnostics
import JobFile
import NDEF
import Patterns
import Platform
import TagFiles
import Templates
import VirtualReader
import YAMLTree

/// What reads bytes that nobody vouches for; each takes any bytes at all and comes back.
enum FuzzTarget: String, CaseIterable {
  /// A type 2 tag's memory, read and written as jobs do.
  case memory
  /// What a tag of any kind answers, whatever was asked.
  case answers
  case message
  /// Bytes on the virtual reader's line.
  case line
  /// Commands to the virtual reader and its chips, in frames as they should be.
  case commands
  case tagFile
  case rawImage
  case propertyList
  case yaml
  case job
  case station
  case csv
  case jsonLines
  case template
  case pattern
  case glob

  /// Gives `bytes` to what is tried; `folder` is where relative paths in them begin.
  func run(_ bytes: [UInt8], in folder: String) {
    switch self {
    case .memory: TagTrial.memory(bytes)
    case .answers: TagTrial.answers(bytes)
    case .message: TagTrial.message(bytes)
    case .line: ReaderTrial.line(bytes)
    case .commands: ReaderTrial.commands(bytes)
    case .tagFile: ReaderTrial.tagFile(bytes, named: "tag.nfc")
    case .rawImage: ReaderTrial.tagFile(bytes, named: "tag.bin")
    case .propertyList: FileTrial.propertyList(bytes)
    case .yaml: FileTrial.yaml(bytes)
    case .job: FileTrial.job(bytes, in: folder)
    case .station: FileTrial.station(bytes, in: folder)
    case .csv: FileTrial.data(bytes, isCSV: true)
    case .jsonLines: FileTrial.data(bytes, isCSV: false)
    case .template: TextTrial.template(bytes)
    case .pattern: TextTrial.pattern(bytes)
    case .glob: TextTrial.glob(bytes)
    }
  }
}
