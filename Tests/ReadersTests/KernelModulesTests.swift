import Testing

@testable import Readers

struct KernelModulesTests {
  @Test func `modules that take readers are named in the order of their removal`() {
    // Lines as proc_modules(5) has them.
    let list = """
      pn533_usb 20480 0 - Live 0x0000000000000000
      pn533 49152 1 pn533_usb, Live 0x0000000000000000
      nfc 163840 1 pn533, Live 0x0000000000000000
      nfcsim 1 0 - Live 0x0000000000000000
      """
    #expect(KernelModules.holdingReaders(in: list) == ["pn533_usb", "pn533", "nfc"])
    #expect(KernelModules.holdingReaders(in: "").isEmpty)
  }
}
