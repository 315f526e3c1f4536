"""Reads CSV files with Python's csv module: one line of JSON for each, its rows or null."""
import csv
import json
import sys

csv.field_size_limit(1 << 21)
for argument in sys.argv[1:]:
    delimiter, path = argument[0], argument[1:]
    with open(path, newline="", encoding="utf-8") as file:
        try:
            rows = [row for row in csv.reader(file, delimiter=delimiter, strict=True) if row]
        except csv.Error:
            rows = None
    print(json.dumps(rows))
