/// The keys of `retries`.
enum RetryKeys {
  static let busy = Key(
    "busy", Kind.integer(0...1000), default: "1", "Session openings after a busy reader")
  static let wait = Key("wait", Kind.duration(), default: "2s", "The pause before each of them")
  static let tag = Key(
    "tag", Kind.integer(0...100), default: "2", "Repetitions of a step that met a passing fault")
  static let comeBack = Key(
    "comeBack", Kind.duration(), default: "3s",
    "How long a tag lost in hand may stay away before its outcome is given")

  static let shape = ObjectShape(
    "`retries`", "How often passing faults are tried again",
    [busy.shape, wait.shape, tag.shape, comeBack.shape])

  static let value = Kind<Retries>.object(shape) { fields, reading in
    var retries = Retries()
    retries.busy = fields.read(busy, &reading) ?? retries.busy
    retries.wait = fields.read(wait, &reading) ?? retries.wait
    retries.tag = fields.read(tag, &reading) ?? retries.tag
    retries.comeBack = fields.read(comeBack, &reading) ?? retries.comeBack
    return retries
  }
}
