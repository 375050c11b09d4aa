"""Full and read-only file systems below the result, the journal, the run's folder: exit 0, 7 or 8, and on with room."""

import os
import subprocess
from collections import Counter

from support import MEMORY, World, case

PLACES = ('home', 'state', 'tmp', MEMORY)


def attack(a):
    row = a.row('full or read-only disk, from the start or in mid-run: result whole; with room again, the same')
    if not a.private:
        return row.note('skipped: only root can mount')
    small, ends = case('txt', 10), Counter()
    kinds = [(place, how, when, mode) for place in PLACES for how in ('full', 'no files left', 'read-only')
             for when in ('start', 'mid-run') for mode in ('', '--in-place')]
    for place, how, when, mode in a.some(kinds, least=8):
        what = f'{place} {how} {when} {mode}'.strip()
        flags = ['--jobs', '1', *([mode] if mode else [])]
        reference, _ = a.reference(small, *flags)
        with World(a, args=flags) as world:
            point = getattr(world, place, place)
            before = layers(point)
            mount(point)
            world.mounted.add(point)
            try:
                world.case = small
                world.write(small.name, small.text)
                world.program('test.sh', f'echo >> $W/runs\nf={small.name}\nif [ -e $W/wait ] && [ $(wc -l <$W/runs) = 9 ]; then : > $W/now; '
                           f'while [ -e $W/now ]; do sleep 0.01; done; fi\n{small.body}')
                if when == 'start':
                    harm(point, how)
                    ended = world.run()
                else:
                    world.write('../wait', '')
                    run = world.start()
                    while not os.path.exists(f'{world.root}/now') and not run.over():
                        run.over_after(0.01)
                    harm(point, how)
                    os.remove(f'{world.root}/now')
                    os.remove(f'{world.root}/wait')
                    ended = run.wait()
                ends[f'exit {ended.code}'] += 1
                complaints = ['' if ended.code in (0, 7, 8) else ended.short(), world.holds()]
                heal(point, before)
                if ended.code != 0:
                    ended = world.run()
                complaints += [*world.ends_like(ended, reference), world.left()]
            finally:
                unmount(point, before)
            row.add(*complaints, what=what)
    row.note(', '.join(f'{times} x {end}' for end, times in sorted(ends.items())))


# Memory is preferred only where much of it is free.
ROOM = {MEMORY: 'size=2G,nr_inodes=0'}
LESS = {'full': 'size=64k', 'no files left': 'nr_inodes=50'}


def shell(*commands):
    subprocess.run(['sh', '-c', '; '.join(commands)], capture_output=True)


def mount(point):
    shell(f'mount -t tmpfs -o {ROOM.get(point, "size=4M,nr_inodes=500")} tmpfs {point}')


def harm(point, how):
    if how == 'read-only':
        # A read-only layer over it: the file system itself may have files open for writing.
        return shell(f'mount --bind {point} {point}', f'mount -o remount,ro,bind {point}')
    if point == MEMORY:
        shell(f'mount -o remount,{LESS[how]} {point}')
    shell(f'mkdir {point}/filler', f'cd {point}/filler', 'cat /dev/zero > x' if how == 'full' else 'seq 9999 | xargs touch')


def heal(point, before):
    unmount(point, before + 1)
    shell(f'rm -rf {point}/filler')
    if point == MEMORY:
        shell(f'mount -o remount,{ROOM[MEMORY]} {point}')


def layers(point):
    """How many file systems are mounted there, one over the other."""
    with open('/proc/self/mountinfo') as lines:
        return sum(line.split()[4] == point for line in lines)


def unmount(point, down_to):
    while layers(point) > down_to:
        shell(f'umount -l {point}')
