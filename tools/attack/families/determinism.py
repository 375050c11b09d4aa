"""The same bytes and the same questions in the same order at every number of jobs."""

import re

from support import Case, UNITS, World, case

JOBS = (1, 2, 4, 8, None)
# Says which candidate it was asked about, so that the log of a run is its trace.
TELLING = 'echo "asked about $(cksum <$f)"'
# Not the same time twice.
SLEEPING = 'sleep 0.0$(($(od -An -N1 -tu1 /dev/urandom) % 5))'
FLAGS = (['--level', 'thorough'], ['--minimizer', 'probdd', '--random'], ['--hold-back'], ['--confirm', '2'],
         ['--keep', 'item3'], ['--format', 'lines'], ['--format', 'tokens'], ['--format', 'chars'],
         ['--max-questions', '40'], ['--format-result'])


def attack(a):
    row = a.row('jobs 1, 2, 4, 8 and default, in each language: same bytes, same trace')
    for extension in a.some(UNITS, least=3):
        check(a, row, case(extension), [])
    row = a.row('- with tests that sleep at random')
    for extension in a.some(UNITS, least=2):
        check(a, row, case(extension, 8, SLEEPING), [], jobs=(1, 4))
    row = a.row('- reducers x minimisers')
    with World(a) as world:
        usage = world.call('reduce', '--help').out
    reducers, minimizers = (choices(usage, flag) for flag in ('--reducer', '--minimizer'))
    row.note(f'{len(reducers)} reducers, {len(minimizers)} minimisers')
    pairs = [(reducer, minimizer, extension) for reducer in reducers for minimizer in minimizers for extension in ('c', 'json')]
    chosen = a.rng.sample(pairs, min(66, len(pairs)))
    for reducer, minimizer, extension in a.some(chosen, least=5):
        check(a, row, case(extension, 8), ['--reducer', reducer, '--minimizer', minimizer], jobs=(1, 3, 8))
    row = a.row('- other flags')
    for flags in a.some(FLAGS, least=3):
        check(a, row, case('c'), flags, jobs=(1, 3, 8))


def choices(usage, flag):
    """The possible values of a flag."""
    [values] = re.findall(rf'{flag} <.*?\[possible values: (.*?)\]', usage, re.S)
    return re.split(r',\s*', values)


def check(a, row, plain, flags, jobs=JOBS):
    telling = Case(plain.name, plain.text, f'{TELLING}\n{plain.body}')
    found = []
    for number in jobs:
        with World(a, telling, args=['-v', *flags, *(['--jobs', str(number)] if number else [])]) as world:
            ended = world.run(limit=300)
            trace = re.sub(r' after [\d.]+ s', '', ended.err[:ended.err.rfind(' -> ')])
            found.append((ended.code, world.result(), [line for line in trace.split('\n') if 'warning' not in line]))
    codes = {code for code, _, _ in found}
    same = [all(one[part] == found[0][part] for one in found) for part in (1, 2)]
    asked = sum('asked about' in line for line in found[0][2])
    row.add('' if codes == {0} else f'exit {codes}', '' if same[0] else 'other bytes', '' if same[1] else 'other trace',
            '' if asked > 5 else 'no trace', what=' '.join([plain.name, *flags]))
