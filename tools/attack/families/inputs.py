"""Inputs that are deep, long, odd or broken, with one grep each: seconds, memory, questions and what is left of them."""

import json
import os

from support import UNITS, Case, Row, World, units

NEEDLE = b'item3'
BUDGET = 30
# So much longer than its budget may a run take.
GRACE = 5
MEGABYTES = 2000
SMALL = 1000
NESTS = {
    'json': '[ ]', 'txt': '( )', 'c': '( )', 'cc': '{ }', 'lisp': '( )', 'smt2': '( )', 'js': '[ ]', 'py': '( )', 'rs': '{ }',
    'xml': '<a> </a>', 'html': '<div> </div>', 'cpp': 'f( )', 'go': '{ }', 'java': '( )', 'ts': '{ }', 'kt': '{ }',
    'rb': '[ ]', 'php': '<?php( )', 'lua': '{ }', 'yaml': '[ ]', 'css': 'a{ }', 'sql': 'BEGIN ', 'swift': '( )', 'hs': '( )',
    'sh': '( )', 'cs': '{ }', 'wat': '( )', 'toml': '[ ]', 'scss': 'a{ }', 'ml': '( )',
}
MILLIONS = ('json', 'txt', 'c', 'lisp', 'smt2', 'js', 'py', 'xml', 'html', 'rs')
NAMES = [b'a b.c', b'a\nb.c', b'\x1b[2Ja.c', b'\xff\xfe.c', b'-x', b'--help', b'$(touch x).c', b'`x`.c', b'a;b.c', b'a\'b".c',
         b'..c', b'.c', b'c', b'a.b.c.d', b'*', b'?', b'~', b'#x', b'%s%n.c', b'a\\b.c', b'lock', b'test', b'\xe2\x80\xae.c',
         b'x' * 250 + b'.c', b'x' * 220 + b'.c']


def attack(a):
    names(a)
    with World(a) as world:
        languages = [line.split()[0] for line in world.call('languages').out.splitlines() if line.strip()]
    broken = [(f'{how} {language}', 'in.txt', text, ['--language', language])
              for language in languages for how, text in breakages(a.rng, language).items()]
    a.rng.shuffle(broken)
    measure(a, 'odd bytes', odd_bytes(), 8, 0.1)
    measure(a, f'{len(languages)} languages: random, truncated, mutated, shuffled, punctuation', broken[:200], 15, 0.3)
    measure(a, 'long tokens', long_tokens(), 4, 0.2)
    measure(a, 'deep nests', deep(), 6, 0.4)


def measure(a, what, inputs, least, share):
    row = a.row(f'{what}: exit 0, right, below {MEGABYTES} MB, --max-time {BUDGET} kept to {GRACE} s')
    small = Row(f'- results of at most {SMALL} B')
    a.allot(share)
    most = {'s': 0, 'MB': 0, 'questions': 0}
    for called, name, text, *flags in a.some(inputs, least=least):
        with World(a, Case(name, text, f'grep -q {NEEDLE.decode()} $f'), args=flags[0] if flags else []) as world:
            ended = world.run('--json', '--max-time', str(BUDGET), limit=BUDGET + 30)
            report = json.loads(ended.out) if ended.code == 0 else {'questions': {'total': 0}, 'end': ''}
            figures = {'s': ended.seconds, 'MB': ended.megabytes, 'questions': report['questions']['total']}
            most = {unit: max(most[unit], figure) for unit, figure in figures.items()}
            late = ended.seconds > BUDGET + GRACE and not ended.hung
            # 5: its time was over before the input was asked about.
            complaints = ['' if ended.code in (0, 5) else ended.short(), world.holds(), world.left(),
                          f'{ended.seconds:.0f} s' if late else '',
                          f'{ended.megabytes} MB' if ended.megabytes > MEGABYTES else '']
            row.add(*complaints, what=f'{called} {name}')
            if report['end'] == 'finished':
                size = len(world.result())
                small.add(f'{size} B of {len(text)}, {figures["questions"]} questions' if size > SMALL else '', what=f'{called} {name}')
    a.rows.append(small)
    row.note(f'at most {most["s"]:.0f} s, {most["MB"]} MB, {most["questions"]} questions')


def deep():
    for depth, extensions in (10**5, NESTS), (10**6, MILLIONS):
        for extension in extensions:
            yield f'{depth} deep', f'in.{extension}', nest(extension, depth)


def nest(extension, depth):
    first, last = (part.encode() for part in NESTS[extension].split(' '))
    return first * depth + b' ' + NEEDLE + b' ' + last * depth


def long_tokens():
    def blob(size):
        return b'ab' * (size // 4) + NEEDLE + b'cd' * (size // 4)

    found = []
    for size in 10_000, 50_000, 1_000_000:
        found += [(f'{size} B in a string', 'in.c', b'char *x = "data:' + blob(size) + b'";\n'),
                  (f'{size} B in a string', 'in.json', b'{"x": "' + blob(size) + b'"}\n'),
                  (f'{size} B in a string', 'in.py', b'x = "' + blob(size) + b'"\n')]
    words = b' '.join(b'word%d' % (i % 977) for i in range(600_000))
    return found + [('20,000 digits', 'in.c', b'int item3 = ' + b'7' * 20_000 + b';\n'),
                    ('a line of 5 MB', 'in.txt', words[:2_500_000] + b' item3 ' + words[:2_500_000]),
                    ('a word of 5 MB', 'in.txt', blob(5_000_000)), ('a paragraph', 'in.md', b'word ' * 3000 + NEEDLE),
                    ('a paragraph', 'in.html', b'<p>' + b'word ' * 3000 + NEEDLE + b'</p>'),
                    ('a comment of 50 kB', 'in.c', b'/* ' + b'word ' * 5000 + NEEDLE + b' ' + b'word ' * 5000 + b'*/ int a;'),
                    ('200,000 lines', 'in.txt', b'a line\n' * 100_000 + NEEDLE + b'\n' + b'a line\n' * 100_000),
                    ('5 MB of empty lines', 'in.txt', b'\n' * 2_500_000 + NEEDLE + b'\n' * 2_500_000)]


def odd_bytes():
    text = units('c', 8).encode()
    return [('one word', 'in.txt', NEEDLE), ('white space', 'in.c', b' \t\n' * 300 + NEEDLE + b'\n ' * 300),
            ('only comments', 'in.c', b'// item3\n/* x */\n' * 50), ('NUL', 'in.c', b'\0'.join(text.split(b' '))),
            ('BOM', 'in.c', b'\xef\xbb\xbf' + text), ('UTF-16', 'in.txt', b'item3' + text.decode().encode('utf-16')),
            ('CRLF', 'in.c', text.replace(b'\n', b'\r\n')), ('CR', 'in.c', text.replace(b'\n', b'\r')),
            ('no UTF-8', 'in.c', text.replace(b'int', b'\xff\xfe')), ('no UTF-8', 'in.py', b'\xff\xfe item3 \xc0\x80' * 50),
            ('all bytes', 'in.bin', bytes(range(256)) * 20 + NEEDLE), ('escapes', 'in.txt', b'\x1b[2J\x1b]0;x\x07' * 100 + NEEDLE),
            ('three languages', 'in.php', b'<html><script>var item3 = {a: [1]}</script><?php f(1); ?></html>' * 20),
            ('#if jungle', 'in.c', b''.join(b'#if A%d\nint item%d;\n' % (i, i) for i in range(300)) + b'#endif\n' * 300),
            ('unclosed string', 'in.c', b'char *x = "' + text), ('combining marks', 'in.txt', NEEDLE + '\u0301'.encode() * 5000)]


def names(a):
    row = a.row('names of the input: exit 0 and nothing left, or exit 2, 3 or 7 and a reason')
    text = units('txt', 8).encode()
    for name in a.some(NAMES, least=8):
        with World(a, Case('in.txt', text, 'cat > $TMPDIR/c; grep -q item3 $TMPDIR/c')) as world:
            os.rename(world.path('in.txt'), os.fsencode(world.home) + b'/' + name)
            ended = world.launch([b'./test.sh', b'./' + name]).wait()
            extra = set(os.listdir(world.home)) - {'test.sh', os.fsdecode(name)}
            row.add('' if ended.code in (0, 2, 3, 7) else ended.short(), world.left(),
                    '' if ended.code == 0 or 'error' in ended.err else f'exit {ended.code} without a word',
                    f'{len(extra)} files more' if len(extra) > 1 else '', what=repr(name))


def breakages(rng, language):
    whole = units(language if language in UNITS else rng.choice(list(UNITS)), 120).encode()[:12_000]
    pieces = whole.split()
    rng.shuffle(pieces)
    mutated = bytearray(whole)
    for _ in range(len(whole) // 20):
        mutated[rng.randrange(len(whole))] = rng.randrange(256)
    return {'random': rng.randbytes(8000) + NEEDLE, 'truncated': whole[:rng.randrange(2000, 9000)],
            'mutated': bytes(mutated) + NEEDLE, 'shuffled': b' '.join(pieces),
            'punctuation': bytes(rng.choice(b'(){}[]<>;:,."\'`\\/*#@!%&|=+-~$\n ') for _ in range(8000)) + NEEDLE}
