"""Signals at random moments, also while dwindle itself computes."""

import random
import signal
import statistics
import time

from support import Case, World, cases

INT, TERM, HUP = signal.SIGINT, signal.SIGTERM, signal.SIGHUP
ENDING = [(INT,), (TERM,), (HUP,), (INT, TERM, INT)]
OTHERS = [(signal.SIGQUIT,), (signal.SIGUSR1,), (signal.SIGPIPE,), (signal.SIGSTOP, signal.SIGCONT)]
# A user who waits longer than so many seconds looks for kill -9.
PATIENCE = 3
UNHEARD = 20


def attack(a):
    row = a.row('INT, TERM, HUP, several at once, while tests run: exit 128 + N, result interesting, resumed run the same')
    latencies = []
    for numbers, case, jobs in a.some([(ENDING[i % 4], cases()[i % 8], 1 + i % 3) for i in range(40)], least=4):
        stop(a, row, latencies, numbers, case, jobs)
    note(row, latencies)
    row = a.row('QUIT, USR1 (which kill), PIPE, STOP and CONT: nothing left, resumed run the same')
    for numbers, case, jobs in a.some([(OTHERS[i % 4], cases()[i % 8], 1 + i % 3) for i in range(20)], least=4):
        stop(a, row, [], numbers, case, jobs)
    row = a.row(f'INT, TERM while dwindle itself reads a hard input: over within {PATIENCE} s')
    latencies = []
    for name, text in a.some(hard(), least=3):
        compute(a, row, latencies, Case(name, text, 'grep -q item $f'))
    note(row, latencies)
    row = a.row(f'--max-time 2 on the same inputs: over within {2 + PATIENCE} s')
    for name, text in a.some(hard(), least=3):
        with World(a, Case(name, text, 'grep -q item $f')) as world:
            ended = world.run('--max-time', '2', limit=2 + UNHEARD)
            late = ended.seconds > 2 + PATIENCE
            row.add(f'{ended.seconds:.0f} s' if late else '' if ended.code in (0, 5) else ended.short(), what=name)


def hard():
    """Inputs that take dwindle seconds or minutes before the first question, or between two."""
    # At such words the grammar of Kotlin branches without end.
    chance = random.Random(1)
    words = ' '.join(chance.choice('] -> else , a as > . { a \n'.split(' ')) for _ in range(1500))
    deep = 300_000
    return [('in.kt', words.encode() + b' item'),
            ('in.json', b'[' * deep + b'"item"' + b']' * deep), ('in.xml', b'<a>' * deep + b'item' + b'</a>' * deep),
            ('in.rs', b'{' * deep + b'item' + b'}' * deep), ('in.py', b'(' * deep + b'item' + b')' * deep),
            ('in.c', b'(' * deep + b'item' + b')' * deep), ('in.html', b'<div>' * deep + b'item'),
            ('in.txt', b'word ' * 400_000 + b'item')]


def stop(a, row, latencies, numbers, case, jobs):
    reference, seconds = a.reference(case)
    with World(a, case, args=['--jobs', str(jobs)]) as world:
        run = world.start()
        run.over_after(a.rng.uniform(0.02, 0.02 + 0.7 * seconds))
        told = time.monotonic()
        for number in numbers:
            run.kill(number)
            if number == signal.SIGSTOP:
                time.sleep(0.3)
        ended = run.wait()
        latency = time.monotonic() - told
        goes_on = numbers[0] in (signal.SIGPIPE, signal.SIGSTOP)
        kills = numbers[0] in (signal.SIGQUIT, signal.SIGUSR1)
        # 0: it was over before.
        codes = [0] + [-numbers[0] if kills else 128 + number for number in numbers if not goes_on]
        late = f'over after {latency:.1f} s' if latency > PATIENCE and not goes_on else ''
        complaints = ['' if ended.code in codes else ended.short(), late, world.holds(), world.left()]
        if ended.code > 0:
            latencies.append(latency)
        if ended.code != 0:
            ended = world.run()
        row.add(*complaints, *world.ends_like(ended, reference), world.left())


def compute(a, row, latencies, case):
    with World(a, case) as world:
        run = world.start()
        if run.over_after(a.rng.uniform(0.3, 2)):
            return row.note(f'{case.name} was over before')
        told = time.monotonic()
        run.kill(a.rng.choice((INT, TERM)))
        ended = run.wait(UNHEARD)
        latencies.append(time.monotonic() - told)
        late = f'{"unheard for" if ended.hung else "heard after"} {latencies[-1]:.1f} s' if latencies[-1] > PATIENCE else ''
        row.add(late, '' if ended.hung or ended.code > 128 else ended.short(), world.holds(), world.left(), what=case.name)


def note(row, latencies):
    if latencies:
        row.note(f'heard after {statistics.median(latencies):.2f} s (median), {max(latencies):.2f} s (most)')
