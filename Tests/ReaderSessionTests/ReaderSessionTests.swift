import Platform
import Readers
import Testing
import VirtualReader

@testable import ReaderSession

/// A session's life over libnfc and a virtual reader.
@Suite struct ReaderSessionTests {
  @Test func `a tag is delivered once while it lies, and again when it was missed twice`()
    async throws
  {
    let bench = try SessionBench()
    let virtual = bench.virtual
    let image = try SessionBench.image(1)
    let found = try await bench.run { device in
      var presence = Presence()
      let session = ReaderSession(SessionConfiguration(), on: device, alertMessage: "")
      try session.begin()
      var found: [String] = []
      func poll() {
        found.append(session.poll(&presence).text)
        _ = session.finishTag()
      }
      poll()
      virtual.place(image)
      for _ in 0..<3 { poll() }
      virtual.lift(comeBack: .zero)
      poll()
      virtual.lift()
      for _ in 0..<2 { poll() }
      virtual.place(image)
      for _ in 0..<2 { poll() }
      return found
    }
    #expect(found.first == "nothing")
    #expect(found.filter { $0 == "tag 1" }.count == 2, "\(found)")
    #expect(Array(found.suffix(2)) == ["tag 1", "nothing"])
  }

  @Test func `a session times out by the reader's clock, once`() async throws {
    let bench = try SessionBench()
    let found = try await bench.run { device in
      var presence = Presence()
      var configuration = SessionConfiguration()
      configuration.timeout = .seconds(60)
      let session = ReaderSession(configuration, on: device, alertMessage: "")
      try session.begin()
      var found = [session.poll(&presence).text]
      device.clock.sleep(.seconds(61), until: nil)
      found.append(session.poll(&presence).text)
      // A later reason changes nothing.
      session.invalidate(by: .person)
      found.append(session.poll(&presence).text)
      do throws(Invalidation) {
        try session.begin()
      } catch {
        found.append("begin \(error.code.rawValue)")
      }
      return found
    }
    #expect(found == ["nothing", "ended 201 system", "ended 201 system", "begin 103"])
  }

  @Test func `tags of an ended session fail with 103, of an earlier poll with 104`() async throws {
    let bench = try SessionBench()
    let virtual = bench.virtual
    let images = [try SessionBench.image(1), try SessionBench.image(2)]
    let codes = try await bench.run { device in
      var presence = Presence()
      let session = ReaderSession(SessionConfiguration(), on: device, alertMessage: "")
      try session.begin()
      var tags: [SessionTag] = []
      for image in images {
        virtual.place(image)
        for _ in 0..<3 {
          if case .tag(let tag) = session.poll(&presence) { tags.append(tag) }
          _ = session.finishTag()
        }
        virtual.lift()
        for _ in 0..<2 { _ = session.poll(&presence) }
      }
      func code(_ tag: SessionTag) -> Int {
        do throws(ReaderError) {
          _ = try tag.exchange([0x30, 0], framing: .managed)
          return 0
        } catch {
          if case .stale(let code) = error { return code }
          return -1
        }
      }
      guard tags.count == 2 else { return [tags.count] }
      let earlier = code(tags[0])
      session.invalidate()
      return [earlier, code(tags[0]), code(tags[1])]
    }
    #expect(codes == [104, 103, 103])
  }

  @Test(arguments: [
    (SessionConfiguration.Kind.tag, true, "200 runner"), (.ndef, true, "204 system"),
    (.ndef, false, "200 runner"),
  ])
  func `a session that reads one tag ends with it`(
    _ kind: SessionConfiguration.Kind, _ reads: Bool, _ end: String
  ) async throws {
    let bench = try SessionBench()
    bench.virtual.place(try SessionBench.image(1))
    let ended = try await bench.run { device in
      var presence = Presence()
      var configuration = SessionConfiguration(kind: kind)
      configuration.invalidateAfterFirstRead = true
      configuration.reads = reads
      let session = ReaderSession(configuration, on: device, alertMessage: "")
      try session.begin()
      guard case .tag = session.poll(&presence) else { return "no tag" }
      return session.finishTag().map { "\($0.code.rawValue) \($0.by)" } ?? "goes on"
    }
    #expect(ended == end)
  }

  @Test func `two tags are crowded, told once for as long as they lie there`() async throws {
    let bench = try SessionBench()
    let virtual = bench.virtual
    let images = [try SessionBench.image(1), try SessionBench.image(2)]
    let found = try await bench.run { device in
      var presence = Presence()
      let session = ReaderSession(SessionConfiguration(), on: device, alertMessage: "")
      try session.begin()
      let second = images.compactMap { virtual.place($0) }.last
      var found = (0..<3).map { _ in session.poll(&presence).text }
      if let second { virtual.remove(second) }
      found.append(session.poll(&presence).text)
      return found
    }
    #expect(found == ["crowded [1, 2]", "nothing", "nothing", "tag 1"])
  }

  @Test func `a tag seen in a listing that then fails is delivered by the next one`() async throws {
    // Every command of the first delivery fails once with a passing fault.
    for failing in 1...6 {
      let bench = try SessionBench(faults: { point in
        point.tagCommand == failing && point.parameters.first != nil && point.position == 0
          && once.withLock { $0.insert(failing).inserted } ? [.status(0x13)] : []
      })
      bench.virtual.place(try SessionBench.image(1))
      let found = try await bench.run { device in
        var presence = Presence()
        let session = ReaderSession(SessionConfiguration(), on: device, alertMessage: "")
        try session.begin()
        return (0..<4).map { _ in session.poll(&presence).text }
      }
      #expect(found.contains("tag 1"), "command \(failing): \(found)")
    }
  }

  @Test func `a person's cancel is 200 by person, an unplugged reader 202`() async throws {
    let bench = try SessionBench()
    let virtual = bench.virtual
    let found = try await bench.run { device in
      var presence = Presence()
      let first = ReaderSession(SessionConfiguration(), on: device, alertMessage: "")
      try first.begin()
      let end = first.invalidate(by: .person)
      let second = ReaderSession(SessionConfiguration(), on: device, alertMessage: "")
      try second.begin()
      virtual.stop()
      var found = ["\(end.code.rawValue) \(end.by)"]
      for _ in 0..<3 { found.append(second.poll(&presence).text) }
      return found
    }
    #expect(found.first == "200 person")
    #expect(found.last == "ended 202 system", "\(found)")
  }
}

private let once = Locked<Set<Int>>([])
