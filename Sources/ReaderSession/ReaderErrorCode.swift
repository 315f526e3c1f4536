/// Core NFC's error codes, by their names and numbers (`NFCReaderError.Code`).
package enum ReaderErrorCode: Int, Sendable, CaseIterable {
  case readerErrorUnsupportedFeature = 1
  case readerErrorSecurityViolation = 2
  case readerErrorInvalidParameter = 3
  case readerErrorInvalidParameterLength = 4
  case readerErrorParameterOutOfBound = 5
  case readerErrorRadioDisabled = 6
  case readerErrorIneligible = 7
  case readerErrorAccessNotAccepted = 8
  case readerTransceiveErrorTagConnectionLost = 100
  case readerTransceiveErrorRetryExceeded = 101
  case readerTransceiveErrorTagResponseError = 102
  case readerTransceiveErrorSessionInvalidated = 103
  case readerTransceiveErrorTagNotConnected = 104
  case readerTransceiveErrorPacketTooLong = 105
  case readerSessionInvalidationErrorUserCanceled = 200
  case readerSessionInvalidationErrorSessionTimeout = 201
  case readerSessionInvalidationErrorSessionTerminatedUnexpectedly = 202
  case readerSessionInvalidationErrorSystemIsBusy = 203
  case readerSessionInvalidationErrorFirstNDEFTagRead = 204
  case tagCommandConfigurationErrorInvalidParameters = 300
  case ndefReaderSessionErrorTagNotWritable = 400
  case ndefReaderSessionErrorTagUpdateFailure = 401
  case ndefReaderSessionErrorTagSizeTooSmall = 402
  case ndefReaderSessionErrorZeroLengthMessage = 403

  /// Core NFC's name.
  package var name: String { String(describing: self) }
}

/// How a session ended: once, for one reason.
package struct Invalidation: Error, Sendable, Equatable {
  /// Who ended it.
  package enum Origin: String, Sendable { case runner, person, system }

  package var code: ReaderErrorCode
  package var by: Origin
  /// What a person can mend, shown with a cross; or the detail of a refusal.
  package var message: String?

  package init(_ code: ReaderErrorCode, by: Origin, message: String? = nil) {
    self.code = code
    self.by = by
    self.message = message
  }
}
