/// The URI beginnings that one byte stands for (URI RTD 1.0 section 3.2.2, table 3).
enum URIPrefix {
  /// The beginning for each code from 0x00 to 0x23.
  static let all = [
    "", "http://www.", "https://www.", "http://", "https://", "tel:", "mailto:",
    "ftp://anonymous:anonymous@", "ftp://ftp.", "ftps://", "sftp://", "smb://", "nfs://", "ftp://",
    "dav://", "news:", "telnet://", "imap:", "rtsp://", "urn:", "pop:", "sip:", "sips:", "tftp:",
    "btspp://", "btl2cap://", "btgoep://", "tcpobex://", "irdaobex://", "file://", "urn:epc:id:",
    "urn:epc:tag:", "urn:epc:pat:", "urn:epc:raw:", "urn:epc:", "urn:nfc:",
  ]

  /// The beginning for `code`; the codes from 0x24 on are reserved and read as 0x00 (section 3.2.2).
  static func text(of code: UInt8) -> String {
    Int(code) < all.count ? all[Int(code)] : ""
  }

  /// The code of the longest beginning that `uri` has, and how many bytes that is.
  static func longest(in uri: [UInt8]) -> (code: UInt8, length: Int) {
    var best: (code: UInt8, length: Int) = (0, 0)
    for (code, prefix) in all.enumerated()
    where prefix.utf8.count > best.length && uri.starts(with: prefix.utf8) {
      best = (UInt8(truncatingIfNeeded: code), prefix.utf8.count)
    }
    return best
  }
}

/// The payload of a URI record.
enum URIPayload {
  static func encode(_ uri: String) -> [UInt8] {
    let bytes = Array(uri.utf8)
    let prefix = URIPrefix.longest(in: bytes)
    return [prefix.code] + bytes[prefix.length...]
  }

  /// The URI; `nil` for no bytes and for what is no UTF-8.
  static func decode(_ payload: [UInt8]) -> String? {
    guard let code = payload.first, let rest = String(validating: payload[1...], as: UTF8.self)
    else { return nil }
    return URIPrefix.text(of: code) + rest
  }
}
