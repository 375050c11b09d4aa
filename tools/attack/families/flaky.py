"""Tests that are sometimes wrong: a false result is never given without a word about it."""

from collections import Counter

from support import World, case

# Of a hundred answers, so many are no instead of yes, and yes instead of no.
RATES = ((3, 3), (5, 0), (0, 3), (0, 5))
RUNS = 8


def attack(a):
    plain = case('txt', 25)
    for refused, accepted in RATES:
        for confirm in 1, 3:
            row = a.row(f'{refused} % wrong no, {accepted} % wrong yes, --confirm {confirm}: right, or said to be doubtful')
            ends, sizes = Counter(), []
            for number in a.some(range(RUNS), least=2):
                seed = a.rng.randrange(10**6)
                chance = f'r=$((($(wc -l <$W/runs) + {seed}) * 48271 % 65537 * 16807 % 65539 % 100))'
                lie = f'[ $r -lt {refused} ] && exit 1\n[ $r -ge {100 - accepted} ] && exit 0'
                # The input is asked about twice first; only what comes after is flaky.
                before = f'{chance}\nif [ $(wc -l <$W/runs) -gt 2 ]; then\n{lie}\nfi'
                with World(a, plain, before, ['--jobs', '1', '--confirm', str(confirm)]) as world:
                    ended = world.run()
                    said = ended.code in (6, 8) or 'flaky' in ended.err
                    false = world.holds()
                    ends[f'exit {ended.code}, {"false" if false else "true"}, {"" if said else "not "}said'] += 1
                    sizes.append(len(world.result() or b''))
                    row.add('' if ended.code in (0, 6, 8) else ended.short(), false if not said else '', world.left())
            row.note(', '.join(f'{times} x {end}' for end, times in ends.items()) + f'; {min(sizes)} to {max(sizes)} B')
