/// Where something stands in a file that a person wrote.
package struct Place: Sendable, Hashable {
  /// The file's path as the person gave it.
  package var file: String
  /// The line, counted from 1; 0 means the file as a whole.
  package var line: Int
  /// The column in code points, counted from 1; 0 means the line as a whole.
  package var column: Int
  /// How many code points are meant; at least 1 where there is a column.
  package var length: Int

  /// A place; without line and column, the file as a whole.
  package init(file: String, line: Int = 0, column: Int = 0, length: Int = 1) {
    self.file = file
    self.line = line
    self.column = column
    self.length = length
  }

  /// `file:line:column`, as compilers write it, leaving out what is 0.
  package var text: String {
    if line == 0 { return file }
    return column == 0 ? "\(file):\(line)" : "\(file):\(line):\(column)"
  }
}
