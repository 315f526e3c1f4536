#!/usr/bin/env python3
"""What a disk may hold after a power cut, from a record of all file operations (powerlog.c).

The model:

- A file's fsync or fdatasync makes its content and size durable, and the name it was made under, as on ext4.
- A folder's fsync makes durable all that happened to names in it so far.
- Of what was not synced any part may be there: each write whole, not at all, or only some of its sectors of
  512 bytes; each change of size, each new name, rename and removal, or not. What lies between kept writes
  reads as zeros. (ext4 keeps names in their order; this model does not count on it.)
- Memory of tags, in the folder `keep`, is theirs: there at once.
"""
import os

SECTOR = 512


class Operation:
    __slots__ = ("kind", "name", "more", "data")

    def __init__(self, words, data):
        self.kind, self.name, self.more, self.data = words[0], words[1], words[2:], data


def read(path):
    """The operations of a record."""
    operations = []
    with open(path, "rb") as file:
        while line := file.readline():
            *words, size = line.decode().split()
            operations.append(Operation(words + ["-"] * (2 - len(words)), file.read(int(size))))
    return operations


class File:
    def __init__(self):
        self.durable = b""
        self.pending = []  # (offset, bytes), or (None, size)

    def sync(self):
        self.durable = apply(self.durable, self.pending)
        self.pending = []

    def now(self):
        return apply(self.durable, self.pending)


def apply(content, changes):
    if not changes:
        return content
    content = bytearray(content)
    for offset, data in changes:
        if offset is None:
            del content[data:]
            content.extend(bytes(data - len(content)))
        else:
            content.extend(bytes(max(offset - len(content), 0)))
            content[offset:offset + len(data)] = data
    return bytes(content)


def as_normal(operations, ledger):
    """The same without the syncs that SQLite leaves out with `synchronous=NORMAL`: those of the write-ahead
    log, but for the one before its pages are copied into the ledger's file."""
    kept = []
    for index, operation in enumerate(operations):
        if operation.kind == "sync" and operation.name == f"{ledger}-wal":
            after = (one for one in operations[index + 1:]
                     if one.name in (ledger, f"{ledger}-wal"))
            following = next(after, None)
            if not following or following.kind != "write" or following.name != ledger:
                continue
        kept.append(operation)
    return kept


class Disk:
    """The folder `disk` as the running system sees it, and as it may be found after a cut."""

    def __init__(self):
        self.names = {}
        self.durable_names = {}
        self.pending_names = []  # (kind, name, file or other name)
        self.tags = {}
        self.shown = b""

    def take(self, operation):
        kind, name, more = operation.kind, operation.name, operation.more
        if kind == "shown":
            self.shown += operation.data
        elif name.startswith("keep/") or name == "keep":
            self.take_tag(operation)
        elif not name.startswith("disk"):
            return
        elif kind == "open":
            self.open(name, more)
        elif kind == "write":
            self.file(name).pending.append((int(more[0]), operation.data))
        elif kind == "size":
            self.file(name).pending.append((None, int(more[0])))
        elif kind == "sync":
            self.sync(name)
        elif kind == "syncfolder":
            self.sync_folder(name)
        elif kind == "rename":
            self.change_name("rename", name, more[0])
        elif kind == "unlink":
            self.change_name("unlink", name, None)

    def file(self, name):
        return self.names[name]

    def open(self, name, more):
        if more[0] == "1":
            self.change_name("make", name, File())
        elif more[0] == "2":
            self.file(name).pending.append((None, 0))

    def change_name(self, kind, name, what):
        self.pending_names.append((kind, name, what))
        change_name(self.names, kind, name, what)

    def sync(self, name):
        file = self.file(name)
        file.sync()
        for change in self.pending_names:
            if change[0] == "make" and change[2] is file:
                change_name(self.durable_names, *change)
                self.pending_names.remove(change)
                break

    def sync_folder(self, folder):
        rest = []
        for change in self.pending_names:
            if os.path.dirname(change[1]) == folder:
                change_name(self.durable_names, *change)
            else:
                rest.append(change)
        self.pending_names = rest

    def take_tag(self, operation):
        kind, name, more = operation.kind, operation.name, operation.more
        if kind == "open" and more[0] != "0":
            self.tags[name] = b""
        elif kind == "write":
            self.tags[name] = apply(self.tags[name], [(int(more[0]), operation.data)])
        elif kind == "size":
            self.tags[name] = apply(self.tags[name], [(None, int(more[0]))])
        elif kind == "rename":
            self.tags[more[0]] = self.tags.pop(name)
        elif kind == "unlink":
            self.tags.pop(name, None)

    def after_cut(self, chance):
        """Names and contents as they may be found, by `chance`, a random.Random."""
        share = chance.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        names = dict(self.durable_names)
        for change in self.pending_names:
            if chance.random() < share:
                change_name(names, *change)
        return {name: self.content(file, share, chance) for name, file in names.items()}

    @staticmethod
    def content(file, share, chance):
        kept = []
        for offset, data in file.pending:
            if offset is None:
                if chance.random() < share:
                    kept.append((None, data))
            elif chance.random() < 0.5:
                if chance.random() < share:
                    kept.append((offset, data))
            else:
                kept += sectors(offset, data, share, chance)
        return apply(file.durable, kept)


def sectors(offset, data, share, chance):
    """The parts of a write that lie in sectors which were kept."""
    at = 0
    while at < len(data):
        end = min((offset + at) // SECTOR * SECTOR + SECTOR - offset, len(data))
        if chance.random() < share:
            yield (offset + at, data[at:end])
        at = end


def change_name(names, kind, name, what):
    """One change of a name; one that its predecessor's loss made impossible does nothing."""
    if kind == "make":
        names[name] = what
    elif kind == "unlink":
        names.pop(name, None)
    elif name in names:
        names[what] = names.pop(name)
