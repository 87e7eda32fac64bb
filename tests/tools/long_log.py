# SPDX-License-Identifier: BSD-3-Clause
"""Profile logs of any length: the records of a short one, again and again.

A block's checksum is of the block alone, and it names its session by the offset of the session's block (docs/profile_log.md), so
blocks of records can be repeated as they are.
"""

import struct

HEAD = 16  # of a log, and of a block
CHECKSUM = 8
SESSION = 1


def blocks(log):
    """(kind, bytes) of each block."""
    at = HEAD
    while at < len(log):
        kind, _, size = struct.unpack_from("<IIQ", log, at)
        end = at + HEAD + size + CHECKSUM
        yield kind, log[at:end]
        at = end


def write_long_log(short, path, size):
    """Writes a log of about `size` bytes with the first session and the records of the log `short`. Answers its bytes."""
    log = short.read_bytes()
    all_blocks = list(blocks(log))
    kind, session = all_blocks[0]
    if kind != SESSION:
        raise ValueError(f"{short} does not begin with a session")
    records = b"".join(block for kind, block in all_blocks[1:] if kind != SESSION)
    piece = records * max(1, (1 << 20) // len(records))
    with open(path, "wb") as out:
        out.write(log[:HEAD] + session)
        while out.tell() < size:
            out.write(piece)
        return out.tell()
