"""kill -9 of the main thread at its N-th call of the calls that change files, by strace."""

import collections
import re
import shutil

from support import World, case

CALLS = ('rename,renameat,renameat2,link,linkat,unlink,unlinkat,fsync,fdatasync,ftruncate,openat,write,mkdir,mkdirat,'
         'fchmod,rmdir')
POINTS = 95


def attack(a):
    ends = a.row('kill -9 at the N-th system call: original whole, result interesting, the next run reaches the same')
    after = a.row('- nothing left after the next run')
    if not shutil.which('strace'):
        return ends.note('skipped: there is no strace')
    small, stays = case('txt', 10), 0
    for mode in ((), ('--in-place',)):
        args = ['--jobs', '1', *mode]
        reference, _ = a.reference(small, *args)
        for call, number in points(a, small, args):
            with World(a, small, args=args) as world:
                strace = ['strace', '-o', '/dev/null', '-e', f'trace={call}', '-e', f'inject={call}:signal=KILL:when={number}']
                killed = world.run(before=strace)
                original = [world.read(name) for name in (small.name, f'{small.name}.orig')]
                complaint = '' if small.text in original else 'the original is lost'
                where = f' at {call}{" in place" if mode else ""}'
                stays += bool(world.left(2, clean=False))
                held = world.holds()
                # In place, one that was killed when all was done has nothing to go on with.
                done = mode and killed.code != 0 and world.result() == reference
                ended = world.run()
                ends.add(complaint, held, *world.ends_like(ended, reference, (0, 7) if done else (0,)))
                leftover = world.left()
                after.add(leftover and leftover + where)
    after.note(f'until then something was left by {stays} kills')


def points(a, small, args):
    """Calls with their numbers, some of each."""
    with World(a, small, args=args) as world:
        log = f'{world.root}/calls'
        world.run(before=['strace', '-o', log, '-e', f'trace={CALLS}'])
        counted = collections.Counter(re.findall(r'^(\w+)\(', open(log).read(), re.M))
    found = []
    for call, count in sorted(counted.items()):
        numbers = range(1, count + 1)
        each = -(-POINTS // len(counted))
        found += [(call, number) for number in sorted(a.rng.sample(numbers, min(each, count)))]
    return a.some(found, least=len(counted))
