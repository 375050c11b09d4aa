"""Journals that are cut off, damaged or forged: the same result, or exit 7 and why."""

import glob
import json
import struct

from support import Row, World, case

MAGIC = 12
HEAD, FACTS, OUTCOME, STEP, FORGOTTEN, FINISHED = range(1, 7)
U64 = 2**64 - 1


def attack(a):
    small = case('txt', 10)
    reference, _ = a.reference(small)
    seen = Row('`dwindle history` on all these: exit 0, 2 or 3')
    with World(a, small, args=['--jobs', '1']) as world:
        # As many questions as make a journal of half a run.
        whole = json.loads(world.run('--json').out)['questions']['total']
        world.run('--fresh', '--max-questions', str(max(3, whole // 2)))
        [path] = glob.glob(f'{world.state}/dwindle/*.journal')
        good = open(path, 'rb').read()
        for what, full, damage in damages(a.rng, good):
            row = a.row(f'journal {what}: the same result, or exit 7 and a reason')
            refused = 0
            for _ in a.some(range(full), least=4):
                put(path, damage())
                shown = history(world, ['--diff', '1'], ['--restore', '1'])
                seen.add(*('' if code in (0, 2, 3) else f'exit {code}' for code in shown))
                ended = world.run(limit=60)
                refused += ended.code == 7
                says = '' if ended.code == 0 or 'journal' in ended.err else 'no word about the journal'
                row.add(says, *world.ends_like(ended, reference, (0, 7)), world.left())
            row.note(f'{refused} x exit 7')
        row = a.row('journal with right checksums and hostile contents: no crash, no result that is not interesting')
        for what, forged in a.some(forgeries(good), least=12):
            put(path, forged)
            shown = history(world, ['--diff', '1'], ['--restore', '1'], ['--restore', '2'])
            ended = world.run(limit=60)
            big = f'{ended.megabytes} MB' if ended.megabytes > 1000 else ''
            row.add(world.holds(), big, world.left(), '' if ended.code in (0, 3, 7, 8) else ended.short(),
                    what=what)
            seen.add(*(f'exit {code}' for code in shown if code not in (0, 2, 3)), what=what)
    a.rows.append(seen)


def history(world, *flags):
    """The code with which `dwindle history` ends."""
    return [world.call('history', world.path(world.result_name()), *more).code for more in ([], *flags)]


def put(path, data):
    with open(path, 'wb') as file:
        file.write(data)


def damages(rng, good):
    def flip():
        at = rng.randrange(len(good))
        return good[:at] + bytes([good[at] ^ 1 << rng.randrange(8)]) + good[at + 1:]

    def sector():
        at = rng.randrange(0, len(good), 512)
        return good[:at] + bytes(len(good[at:at + 512])) + good[at + 512:]

    return [('cut off at an offset', 280, lambda: good[:rng.randrange(len(good))]), ('with a flipped bit', 160, flip),
            ('with zeros behind', 40, lambda: good + bytes(rng.randrange(1, 5000))),
            ('with garbage behind', 40, lambda: good + rng.randbytes(rng.randrange(1, 5000))),
            ('with a sector of zeros', 40, sector)]


def forgeries(good):
    """Names and journals whose checksums are right."""
    records = list(read(good))
    step = next(i for i, (kind, _) in enumerate(records) if kind == STEP)
    later = [i for i, (kind, _) in enumerate(records) if kind == STEP][1:]
    facts = next((i for i, (kind, _) in enumerate(records) if kind == FACTS), None)
    payload = dict(enumerate(payload for _, payload in records))

    def changed(at, new, kind=None):
        return write(records[:at] + [(kind or records[at][0], new)] + records[at + 1:])

    def number(at, field, value):
        return changed(at, payload[at][:8 * field] + struct.pack('<Q', value) + payload[at][8 * field + 8:])

    found = []
    for name, at in ('input', step), *(('step', at) for at in later[:1]):
        for field, called in enumerate(('number', 'question', 'bytes', 'lines', 'tokens')):
            found += [(f'{called} of {name} {value:x}', number(at, field, value)) for value in (0, 2**40, 2**33, U64)]
        for offset, called in (41, 'front'), (49, 'back'):
            found += [(f'{called} of {name} {value:x}', changed(at, payload[at][:offset] + struct.pack('<Q', value)
                                                                + payload[at][offset + 8:])) for value in (1, 2**40, U64)]
        found += [(f'{name} without text', changed(at, payload[at][:41])), (f'{name} is empty', changed(at, b'')),
                  (f'{name} of garbage', changed(at, payload[at] + b'garbage' * 100))]
    lies = [(kind, data[:16] + bytes([1 - data[16] & 1]) + data[17:]) if kind == OUTCOME else (kind, data)
            for kind, data in records]
    found += [('all answers turned round', write(lies)),
              ('the step twice', write(records + [records[later[0]]] * 2 if later else records)),
              ('head twice', write(records[:1] * 2 + records[1:])), ('no head', write(records[1:])),
              ('no input', write(records[:1] + records[2:])), ('an unknown kind', write(records + [(77, b'x')])),
              ('finished in the middle', write(records[:3] + [(FINISHED, b'')] + records[3:])),
              ('forgotten runs', write(records + [(FORGOTTEN, struct.pack('<Q', U64))] * 2)),
              ('an answer of a million words', write(records + [(OUTCOME, bytes(22) + b'\xff' * (4 << 16))])),
              ('an answer that took for ever', write(records + [(OUTCOME, bytes(17) + struct.pack('<fB', 1e38, 255))])),
              ('an answer that took no number', write(records + [(OUTCOME, bytes(17) + b'\xff\xff\xff\xff\x01')]))]
    if facts is not None:
        known = json.loads(payload[facts])
        for key in known:
            for value in (None, -1, 1e308, U64, 'x' * 1000, [], {}):
                found.append((f'fact {key} is {str(value)[:9]}', changed(facts, json.dumps({**known, key: value}).encode())))
        found += [('facts of 100,000 brackets', changed(facts, b'[' * 100_000)), ('no facts', changed(facts, b'{}'))]
    return found


def read(journal):
    at = MAGIC
    while at + 5 <= len(journal):
        length, kind = struct.unpack_from('<IB', journal, at)
        yield kind, journal[at + 5:at + 5 + length]
        at += 5 + length + 8


def write(records):
    raw = [struct.pack('<IB', len(payload), kind) + payload for kind, payload in records]
    return b'dwindleJ\1\0\0\0' + b''.join(record + blake3(record)[:8] for record in raw)


# ---- BLAKE3, of which the standard library has none: the hash of a record is its checksum.

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
ORDER = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
START, END, PARENT, ROOT = 1, 2, 4, 8
MASK = 0xFFFFFFFF


def compress(chain, block, counter, length, flags):
    state = [*chain, *IV[:4], counter & MASK, counter >> 32, length, flags]
    words = list(struct.unpack('<16I', block.ljust(64, b'\0')))

    def mix(a, b, c, d, *two):
        for word, (right, last) in zip(two, ((16, 12), (8, 7))):
            state[a] = (state[a] + state[b] + word) & MASK
            state[d] = turned(state[d] ^ state[a], right)
            state[c] = (state[c] + state[d]) & MASK
            state[b] = turned(state[b] ^ state[c], last)

    for _ in range(7):
        for i in range(4):
            mix(i, 4 + i, 8 + i, 12 + i, *words[2 * i:2 * i + 2])
        for i in range(4):
            mix(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, *words[8 + 2 * i:10 + 2 * i])
        words = [words[at] for at in ORDER]
    return [state[i] ^ state[i + 8] for i in range(8)]


def turned(word, by):
    return (word >> by | word << 32 - by) & MASK


def blake3(data, counter=0, root=ROOT):
    """The hash of the data, or the chaining value of a part of it that begins with chunk `counter`."""
    if len(data) <= 1024:
        chain, blocks = IV, [data[at:at + 64] for at in range(0, len(data), 64)] or [b'']
        for at, block in enumerate(blocks):
            flags = (START if at == 0 else 0) | (END | root if at == len(blocks) - 1 else 0)
            chain = compress(chain, block, counter, len(block), flags)
    else:
        left = 1024 << ((len(data) - 1) // 1024).bit_length() - 1
        halves = blake3(data[:left], counter, 0) + blake3(data[left:], counter + left // 1024, 0)
        chain = compress(IV, halves, 0, 64, PARENT | root)
    return struct.pack('<8I', *chain)
