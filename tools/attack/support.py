"""What all attacks share: worlds to run dwindle in, what may be left there, small inputs, and rows of figures."""

import ctypes
import os
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass

# After so many seconds a run hangs, unless its attack says otherwise.
HANGS = 120
MEMORY = '/dev/shm'


class Row:
    """A line of the table: how often something was tried, and what was lost."""

    def __init__(self, what):
        self.what, self.tried, self.lost, self.notes = what, 0, [], []

    def add(self, *complaints, what=''):
        """One more trial, of what, lost if there is any complaint."""
        self.tried += 1
        complaints = list(dict.fromkeys(filter(None, complaints)))
        if complaints:
            self.lost.append((f'{what}: ' if what else '') + ', '.join(complaints))

    def note(self, text):
        self.notes.append(text)

    def cells(self):
        counted = Counter(self.lost).most_common()
        lost = [f'{text} ({times} x)' if times > 1 else text for text, times in counted]
        remarks = self.notes + lost[:6] + ([f'and {len(lost) - 6} more kinds'] if len(lost) > 6 else [])
        cell = '; '.join(remarks).replace('|', '/').replace('\n', ' ')
        return f'| {self.what} | {self.tried} | {self.tried - len(self.lost)} | {cell} |'


class Attack:
    """What a family of attacks needs: the program, its chance, its share of the trials, and its rows."""

    def __init__(self, family, program, scale, seed, seconds, private, keep):
        self.program, self.scale, self.private, self.keep = program, scale, private, keep
        self.rng, self.seconds = random.Random(f'{family} {seed}'), seconds
        self.rows, self.references = [], {}
        self.allot(1)

    def allot(self, share):
        """From now on, such a share of the family's time."""
        self.end = time.monotonic() + share * self.seconds

    def row(self, what):
        self.rows.append(Row(what))
        return self.rows[-1]

    def count(self, full, least=1):
        return max(least, round(full * self.scale))

    def first(self, items, least=1):
        """As many of the items as the scale says, as long as there is time."""
        items = list(items)
        number = min(len(items), self.count(len(items), least))
        for done, item in enumerate(items[:number]):
            if time.monotonic() > self.end:
                self.rows[-1].note(f'out of time after {done} of {number}')
                return
            yield item

    def some(self, items, least=1):
        """The same, of the items in an order of chance."""
        items = list(items)
        return self.first(self.rng.sample(items, len(items)), least)

    def reference(self, case, *args):
        """The result of a run that nobody disturbs, and the seconds that it took."""
        if (case.name, args) not in self.references:
            with World(self, case, args=args if '--jobs' in args else ('--jobs', '1', *args)) as world:
                ended = world.run()
                assert ended.code == 0, f'{case.name}, undisturbed: {ended.short()}'
                self.references[case.name, args] = world.result(), ended.seconds
        return self.references[case.name, args]


@dataclass
class Ended:
    """How a run ended; a code below 0 is a signal."""

    code: int
    seconds: float
    megabytes: int
    out: str
    err: str
    hung: bool

    def short(self):
        said = [line for line in self.err.splitlines() if 'error' in line or 'overflow' in line or 'panicked' in line]
        return ('killed, since it hung' if self.hung else f'exit {self.code}') + (f': {said[0][:100]}' if said else '')


class Running:
    """A run that goes on. What it says goes into files, so that it never waits for a reader."""

    def __init__(self, argv, world, number):
        self.files = [f'{world.root}/out{number}', f'{world.root}/err{number}']
        with open(self.files[0], 'wb') as out, open(self.files[1], 'wb') as err:
            self.began = time.monotonic()
            self.process = subprocess.Popen(argv, cwd=world.home, env=world.environment, stdin=subprocess.DEVNULL,
                                            stdout=out, stderr=err, start_new_session=True)
        self.pid, self.ended, self.hung = self.process.pid, None, False

    def over(self):
        if self.ended is None:
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                self.process.returncode = code = os.waitstatus_to_exitcode(status)
                seconds = time.monotonic() - self.began
                self.ended = Ended(code, seconds, usage.ru_maxrss >> 10, *map(content_of, self.files), self.hung)
        return self.ended is not None

    def wait(self, limit=HANGS):
        until = time.monotonic() + limit
        while not self.over():
            if time.monotonic() > until:
                self.hung = True
                self.kill()
            time.sleep(0.002)
        return self.ended

    def over_after(self, seconds):
        until = time.monotonic() + seconds
        while not self.over() and time.monotonic() < until:
            time.sleep(0.002)
        return self.over()

    def kill(self, number=signal.SIGKILL):
        if not self.over():
            os.kill(self.pid, number)


class World:
    """A folder with `home`, where the user stands, `tmp` and `state`; a private /dev/shm belongs to it, too.

    The test's shell knows the folder as `$W` and the input's name as `$f`.
    """

    def __init__(self, attack, case=None, before='', args=()):
        self.attack, self.case, self.args, self.runs = attack, case, list(args), 0
        self.root = os.path.realpath(tempfile.mkdtemp(prefix='attack-'))
        self.home, self.tmp, self.state = (f'{self.root}/{name}' for name in ('home', 'tmp', 'state'))
        for folder in self.home, self.tmp, self.state:
            os.mkdir(folder)
        self.environment = dict(os.environ, TMPDIR=self.tmp, XDG_STATE_HOME=self.state, HOME=self.root, W=self.root)
        # What the attack mounts itself is not left by a run.
        self.mounted = set()
        if case:
            self.write(case.name, case.text)
            self.program('test.sh', f'W={self.root}\necho >> $W/runs\nf={case.name}\n{before}\n{case.body}')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.left(0)
        if not self.attack.keep:
            subprocess.run(['sh', '-c', 'chmod -R u+rwx "$0"; rm -rf "$0"', self.root], capture_output=True)

    def path(self, name):
        return f'{self.home}/{name}'

    def write(self, name, data):
        with open(self.path(name), 'wb') as file:
            file.write(data if isinstance(data, bytes) else data.encode())

    def read(self, name):
        """The bytes of a file, if it is there."""
        with suppress(OSError), open(self.path(name), 'rb') as file:
            return file.read()

    def program(self, name, body):
        self.write(name, f'#!/bin/sh\n{body}\n')
        os.chmod(self.path(name), 0o755)

    def noted(self, name):
        """The lines that tests have written into a file beside `home`."""
        return content_of(f'{self.root}/{name}').splitlines()

    def result_name(self):
        stem, dot, extension = self.case.name.rpartition('.')
        return f'{stem}.reduced.{extension}' if dot else f'{extension}.reduced'

    def result(self):
        return self.read(self.case.name if '--in-place' in self.args else self.result_name())

    def start(self, *args, before=()):
        return self.launch(['./test.sh', self.case.name, *self.args, *args], before)

    def launch(self, args, before=()):
        self.runs += 1
        return Running([*before, self.attack.program, *args], self, self.runs)

    def call(self, *args, limit=HANGS):
        """The program with these arguments alone."""
        return self.launch(args).wait(limit)

    def run(self, *args, limit=HANGS, before=()):
        return self.start(*args, before=before).wait(limit)

    def finds(self, data):
        """Whether the case's own test, undisturbed, finds this interesting."""
        with tempfile.TemporaryDirectory(prefix='attack-') as folder:
            with open(f'{folder}/{self.case.name}', 'wb') as file:
                file.write(data)
            script = f'f={self.case.name}\n{self.case.body}'
            return subprocess.run(['sh', '-c', script], cwd=folder, capture_output=True).returncode == 0

    def holds(self, missing_is_fine=True):
        """A complaint unless the result is an interesting one."""
        result = self.result()
        if result is None:
            return '' if missing_is_fine else 'no result'
        return '' if self.finds(result) else f'result is not interesting ({len(result)} B)'

    def ends_like(self, ended, reference, codes=(0,)):
        """Complaints unless a run ended so, with this result."""
        result = self.result()
        size = 'none' if result is None else f'{len(result)} B'
        wrong = ended.code == 0 and result != reference
        return ['' if ended.code in codes else ended.short(),
                f'other result: {size} for {len(reference)} B' if wrong else '']

    def left(self, patience=5, clean=True):
        """What runs have left, which is then removed: processes, folders, files, mounts."""
        until = time.monotonic() + patience
        while (found := self.look()) and time.monotonic() < until:
            time.sleep(0.01)
        if clean:
            self.clean(found)
        return 'left: ' + ', '.join(f'{kind} {os.path.basename(path)[:40]}' for kind, path in found[:3]) if found else ''

    def clean(self, found):
        for _ in range(100):
            below = descendants()
            for pid in below:
                tell(pid)
            if not below:
                break
            time.sleep(0.02)
            reap()
        for point in sorted(self.foreign_mounts(), reverse=True):
            subprocess.run(['umount', '-l', point], capture_output=True)
        for kind, path in found:
            if kind in ('file', 'folder'):
                subprocess.run(['rm', '-rf', path], capture_output=True)

    def foreign_mounts(self):
        with open('/proc/self/mountinfo') as lines:
            points = {line.split()[4] for line in lines} - self.mounted
        return [point for point in points if self.attack.private and point.startswith((f'{self.root}/', f'{MEMORY}/'))]

    def look(self):
        reap()
        found = [('process', name_of(pid)) for pid in descendants()]
        found += [('mount', point) for point in self.foreign_mounts()]
        places = [(self.tmp, ''), (self.home, '.'), (f'{self.state}/dwindle', '.')]
        # Where it is not ours alone, other runs of dwindle are at work there.
        places += [(MEMORY, '')] if self.attack.private else []
        for folder, ours in places:
            names = os.listdir(folder) if os.path.isdir(folder) else []
            found += [('file' if os.path.isfile(f'{folder}/{name}') else 'folder', f'{folder}/{name}')
                      for name in names if name.startswith(ours) and not name.startswith('..')]
        return found


def tell(pid, number=signal.SIGKILL):
    """A signal to a process that may be gone."""
    with suppress(OSError):
        os.kill(pid, number)


def adopt():
    """Makes this process the parent of all orphans below it, so that nothing that a run starts can hide."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def reap():
    """Only where no run goes on: it would take away how that ends."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def children(pid):
    found = []
    with suppress(OSError):
        for thread in os.listdir(f'/proc/{pid}/task'):
            found += map(int, content_of(f'/proc/{pid}/task/{thread}/children').split())
    return found


def descendants(pid=None):
    found = children(pid or os.getpid())
    for pid in found:
        found += children(pid)
    return found


def name_of(pid):
    return content_of(f'/proc/{pid}/comm').strip()


def content_of(path):
    """What is in a file of text, if it is there."""
    with suppress(OSError), open(path, errors='replace') as file:
        return file.read()
    return ''


class Poller(threading.Thread):
    """Reads a file every millisecond; has all its contents in their order, and what was wrong."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.path, self.contents, self.vanished, self.on = path, [], 0, True

    def run(self):
        while self.on:
            try:
                with open(self.path, 'rb') as file:
                    content = file.read()
                if not self.contents or self.contents[-1] != content:
                    self.contents.append(content)
            except FileNotFoundError:
                self.vanished += bool(self.contents)
            time.sleep(0.001)


# ---- Small inputs, each of units of which two are needed.

UNITS = {
    'c': 'int item{i}(int a, int b) {{ int c = a * {i}; if (b > c) return item{j}(a, b - 1); return c + {i}; }}\n',
    'rs': 'fn item{i}(a: i32) -> i32 {{ let b = a + {i}; if b > 3 {{ return item{j}(b); }} b }}\n',
    'js': 'function item{i}(a) {{ var b = [a, {i}]; return item{j}(b.map(x => x + 1)); }}\n',
    'go': 'func item{i}(a int) int {{ if a > {i} {{ return item{j}(a - 1) }}; return a }}\n',
    'py': 'def item{i}(a, b=[{i}]):\n    for c in b:\n        if c > a:\n            return item{j}(c)\n    return a\n',
    'json': '{{"item{i}": [{i}, "text {i}", {{"a": null, "b": [true, {i}.5]}}]}},\n',
    'xml': '<item{i} a="{i}" b="x"><c>text {i}</c><d/></item{i}>\n',
    'html': '<div class="a{i}"><p>item{i} <b>is</b> here</p><br><i>x</i></div>\n',
    'smt2': '(declare-fun item{i} (Int) Int)\n(assert (> (item{i} {i}) (+ 1 (item{j} 2))))\n',
    'sql': 'CREATE TABLE item{i} (a INT, b TEXT);\nINSERT INTO item{i} SELECT a, b FROM item{j} WHERE a > {i};\n',
    'txt': 'line {i} of the text has item{i} in it\n',
}
AROUND = {'json': ('[\n', 'null]\n'), 'xml': ('<r>\n', '</r>\n'), 'go': ('package a\n', ''), 'html': ('<body>\n', '</body>\n')}
BALANCED = '[ $(tr -cd "({[" <$f | wc -c) = $(tr -cd ")}]" <$f | wc -c) ] || exit 1'
COMPILES = 'gcc -w -c -o /dev/null $f 2>/dev/null || exit 1'


@dataclass(frozen=True)
class Case:
    """An input and the lines of a shell script that find it interesting."""

    name: str
    text: bytes
    body: str


def units(extension, count):
    first, last = AROUND.get(extension, ('', ''))
    return first + ''.join(UNITS[extension].format(i=i, j=max(i - 1, 0)) for i in range(count)) + last


def case(extension, count=10, also='', name=None):
    """A small reduction: the words `item3` and `item7` stay."""
    body = f'{also}\ngrep -qw item3 $f && grep -qw item7 $f'
    return Case(name or f'in.{extension}', units(extension, count).encode(), body)


def cases():
    """One of each kind that takes about a second."""
    found = [case('c', also=BALANCED), case('json', also=BALANCED), case('txt', 20), case('xml'), case('smt2'),
             case('py', 8), case('js', also=BALANCED), case('sql')]
    if shutil.which('gcc'):
        found.append(case('c', 9, COMPILES, 'compiled.c'))
    return found
