/// What keys and words of job and station files are called elsewhere: in Core NFC, in property lists, by other
/// tools and by their users.
enum OtherNames {
  /// The one of `names` that `word` is another name of.
  static func meaning(of word: String, among names: [String]) -> String? {
    meanings(of: word).first { names.contains($0) }
  }

  /// All that `word` is another name of.
  static func meanings(of word: String) -> [String] {
    table[word.lowercased().filter { $0.isLetter || $0.isNumber }] ?? []
  }

  /// By letters and digits in lower case.
  private static let table: [String: [String]] = [
    "nfctagreadersession": ["tag"], "nfcndefreadersession": ["ndef"],
    "nfcpaymenttagreadersession": ["payment"],
    "nfca": ["iso14443"], "nfcb": ["iso14443"], "typea": ["iso14443"], "typeb": ["iso14443"],
    "type2": ["iso14443"], "type4": ["iso14443"], "iso7816": ["iso14443"],
    "mifare": ["miFare", "iso14443"],
    "nfcf": ["iso18092"], "felica": ["feliCa", "iso18092"], "type3": ["iso18092"],
    "nfcv": ["iso15693"], "type5": ["iso15693"], "vicinity": ["iso15693"],
    "pollingoption": ["polling"], "pollingoptions": ["polling"],
    "aid": ["selectIdentifiers"], "aids": ["selectIdentifiers"],
    "applicationidentifiers": ["selectIdentifiers"],
    "comappledevelopernfcreadersessioniso7816selectidentifiers": ["selectIdentifiers"],
    "comappledevelopernfcreadersessionfelicasystemcodes": ["systemCodes"],
    "comappledevelopernfcreadersessionformats": ["formats"],
    "nfcreaderusagedescription": ["usageDescription"],
    "url": ["uri"], "link": ["uri"], "href": ["uri"], "title": ["titles"],
    "aar": ["application"], "package": ["application"], "contenttype": ["mime"],
    "lang": ["language"], "payload": ["bytes"],
    "blank": ["empty"], "retry": ["retries"], "regex": ["matches"], "regexp": ["matches"],
    "wildcard": ["glob"],
    "port": ["connection"], "device": ["connection"], "connstring": ["connection"],
    "baud": ["speed"], "baudrate": ["speed"], "type": ["chip"], "separator": ["delimiter"],
    "size": ["tags"], "count": ["tags"], "name": ["job", "station"], "columns": ["header"],
    "id": ["key"], "primarykey": ["key"],
  ]
}
