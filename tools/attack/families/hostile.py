"""Tests that do what they should not: the reduction ends right, nothing is left, files of others are as they were."""

import os
import shutil
import stat
import subprocess

from support import World, case

ONCE = '[ $(wc -l <$W/runs) -gt 3 ] || '
ASIDE = 'cat $f > $TMPDIR/c; f=$TMPDIR/c; '
# What is done before the answer; where it needs root, where it may end with another code than 0, and further flags.
KINDS = {
    'daemon': 'setsid sleep 300 >/dev/null 2>&1 &',
    'daemon without environment': 'env -i setsid --fork sleep 300 </dev/null >/dev/null 2>&1',
    'daemon in another folder': 'cd /; env -u TMPDIR setsid --fork sleep 300; cd "$OLDPWD"',
    'two forks': '(setsid --fork sleep 300 &) &',
    'forks without end': 'for i in 1 2 3; do setsid --fork $W/run; done',
    'deaf to signals': '(trap "" TERM HUP INT; while :; do sleep 1; done) &',
    'stopped child': 'setsid sleep 300 & kill -STOP $!',
    'timeout(1)': 'timeout 300 sleep 300 &',
    '100 children': 'for i in $(seq 100); do sleep 300 & done',
    'zombies': 'sh -c "for i in 1 2 3 4 5; do true & done; exec sleep 300" &',
    '100 MB of output': f'{ONCE}yes | head -c 100000000',
    '100 MB of errors': f'{ONCE}yes | head -c 100000000 >&2',
    'escapes and NUL': 'printf "\\033[2J\\033]0;x\\007\\0"',
    'candidate without rights': f'{ASIDE}chmod 0 in.txt',
    'folders without rights': f'{ASIDE}mkdir -p a/b/c; : > a/b/c/d; chmod 0 a/b/c a/b a . ..',
    'current folder deleted': f'{ASIDE}rm -rf "$PWD"',
    'run folder deleted': 'cat $f > $W/c$$; f=$W/c$$; rm -rf "${PWD%/*/*}"',
    'lock deleted': 'rm -f ../../../lock',
    'lock replaced by a pipe': 'rm -f ../../../lock; mkfifo ../../../lock',
    '20,000 files': f'{ONCE}(mkdir m; cd m; seq 20000 | xargs touch)',
    '500 folders deep': 'd=; for i in $(seq 500); do d=$d/x; done; mkdir -p .$d',
    'long names, pipes, links in a circle': 'touch $(printf %0255d 0); mkfifo p; ln -s l l; ln -s . here',
    'links to files of others': 'ln -s $W/victim l; ln -s $W/victim/a $TMPDIR/l; ln $W/victim/a hard 2>/dev/null',
    'candidate replaced by a link': f'{ASIDE}rm in.txt; ln -s $W/victim/a in.txt',
    'writes on after its end': '(while :; do echo x >> y; mkdir -p z; done) &',
    'sparse file of 100 GB': 'truncate -s 100G $TMPDIR/x 2>/dev/null',
    'TERM to its group': 'trap "" TERM; kill -TERM 0',
    'TERM, HUP and USR1 to its parent': (f'{ONCE}kill -$(shuf -n1 -e TERM HUP USR1) $PPID', {'codes': (0, 8)}),
    'dies of a signal': 'grep -qw item3 $f || kill -SEGV $$',
    'hangs': ('grep -qw item5 $f || { setsid sleep 300 & sleep 300; }', {'flags': ['--timeout', '0.3'], 'other': True}),
    'user namespace': 'unshare -rU sleep 300 2>/dev/null &',
    'process namespace': ('unshare -pf --mount-proc sleep 300 &', {'root': True}),
    'mount namespace': ('unshare -m sh -c "mount --bind $W/victim /mnt; sleep 300" &', {'root': True}),
    'bind mount that it takes away': ('mkdir m; mount --bind $W/victim m; trap "umount m" EXIT; sleep 0.02',
                                      {'root': True, 'flags': ['--jobs', '4']}),
    'bind mount that it leaves': ('mkdir m; mount --bind $W/victim m', {'root': True}),
    'memory file system that it leaves': ('mkdir m; mount -t tmpfs tmpfs m; touch m/x', {'root': True}),
}
EATER = b"""#include <stdlib.h>
#include <string.h>
int main(void) { char *p = malloc(200 << 20); if (p) memset(p, 1, 200 << 20); return !p; }
"""


def attack(a):
    row = a.row('tests that do what they should not: right result, nothing left, files of others as they were')
    plain = case('txt', 8)
    reference, _ = a.reference(plain)
    for what, how in a.some(KINDS.items(), least=12):
        action, more = how if isinstance(how, tuple) else (how, {})
        if more.get('root') and not a.private:
            row.note(f'{what}: skipped, needs root')
            continue
        with World(a, plain, action, more.get('flags', ['--jobs', '2'])) as world:
            world.program('../run', 'setsid --fork "$0"')
            victim = f'{world.root}/victim'
            os.makedirs(f'{victim}/folder')
            for name in 'a', 'folder/b':
                world.write(f'../victim/{name}', 'precious')
            before = state(victim)
            ended = world.run()
            complaints = [*world.ends_like(ended, reference, more.get('codes', (0,))), world.left()]
            if more.get('other'):
                complaints = [ended.code and ended.short(), world.holds(), complaints[-1]]
            complaints.append('' if state(victim) == before else 'files of others were changed')
            row.add(*complaints, what=what)
    surroundings(a, plain, reference)


def surroundings(a, plain, reference):
    """What dwindle finds where it starts, and what it promises to tests."""
    row = a.row('started with SIGCHLD ignored, few files, a strange lock in TMPDIR: right result')
    starts = {'SIGCHLD ignored': 'set -- env --ignore-signal=CHLD "$@"', '24 files': 'ulimit -n 24', 'umask 777': 'umask 777', 'umask 000': 'umask 000',
              'lock is a pipe': 'mkdir $TMPDIR/dwindle-12345678; mkfifo $TMPDIR/dwindle-12345678/lock', 'no HOME': 'unset HOME',
              'stdin closed': 'exec <&-', 'stderr closed': 'exec 2>&-', 'signals blocked': 'trap "" INT TERM HUP QUIT PIPE'}
    for what, action in starts.items():
        with World(a, plain, args=['--jobs', '2']) as world:
            ended = world.run(limit=20, before=['sh', '-c', f'{action}; exec "$@"', '-'])
            world.left(0)
            row.add(*world.ends_like(ended, reference), what=what)
    row = a.row('--memory-limit 50M for a program that maps 200 MB at once: refused every time')
    if shutil.which('gcc'):
        with World(a, plain, '$W/eat || exit 1', ['--memory-limit', '50M']) as world:
            subprocess.run(['gcc', '-x', 'c', '-', '-o', f'{world.root}/eat'], input=EATER, check=True)
            for _ in range(a.count(60, least=20)):
                ended = world.run()
                row.add('' if ended.code == 5 else f'exit {ended.code}')
    row = a.row('folders of tests with umask 000: closed to other users')
    with World(a, plain, 'stat -c %a ../../.. >> $W/modes', ['--jobs', '2']) as world:
        world.run(before=['sh', '-c', 'umask 000; exec "$@"', '-'])
        row.add(*{f'mode {mode}' for mode in world.noted('modes') if not mode.endswith('00')})


def state(folder):
    """Names, kinds, rights and contents below a folder."""
    found = []
    for root, folders, files in os.walk(folder):
        for name in sorted(folders + files):
            path = f'{root}/{name}'
            mode = os.lstat(path).st_mode
            found.append((path, mode, open(path).read() if stat.S_ISREG(mode) else ''))
    return sorted(found)
