#!/usr/bin/env python3
"""run.py [FAMILY...]: attacks a built dwindle and prints what survived as one table; exits with 1 if something was lost."""

import argparse
import importlib
import os
import resource
import signal
import subprocess
import sys
import time
import traceback

from support import MEMORY, Attack, adopt

# Each family with the seconds after which, at scale 1, it begins nothing new.
FAMILIES = {'kill': 1200, 'syscalls': 1800, 'keepers': 600, 'signals': 900, 'journal': 1500, 'determinism': 1800,
            'disks': 600, 'broken': 600, 'hostile': 600, 'inputs': 3600, 'grammars': 1200, 'flaky': 600,
            'concurrent': 600}
# What a process may map: a run that goes wrong must not take the machine with it.
ADDRESS_SPACE = 6 << 30


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, epilog=f'families: {", ".join(FAMILIES)}')
    parser.add_argument('families', nargs='*', metavar='FAMILY', help='default: all')
    parser.add_argument('--program', default='target/release/dwindle', help='default: %(default)s')
    parser.add_argument('--scale', type=float, default=0.1, help='share of the trials, above 0 to 1; default: %(default)s')
    parser.add_argument('--seed', default='1', help='chooses the moments and the trials; default: %(default)s')
    parser.add_argument('--keep', action='store_true', help='leave the folders of all runs in TMPDIR')
    args = parser.parse_args()
    if unknown := set(args.families) - set(FAMILIES):
        parser.error(f'no family {", ".join(sorted(unknown))}')
    if not os.access(args.program, os.X_OK):
        parser.error(f'{args.program} is no program: build it, or name another with --program')
    return args


def main():
    args = arguments()
    if os.geteuid() == 0 and 'ATTACK_APART' not in os.environ:
        # What is mounted, and what is in /dev/shm, is nobody else's then.
        os.environ['ATTACK_APART'] = 'yes'
        os.execvp('unshare', ['unshare', '-m', '--propagation', 'private', sys.executable, *sys.argv])
    private = os.environ.pop('ATTACK_APART', '') == 'yes'
    if private:
        subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=4G', 'tmpfs', MEMORY], check=True)
    os.environ.pop('XDG_CONFIG_HOME', None)
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # So that what runs is ended, however this is.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    adopt()
    print('| what | tried | survived | lost / remarks |\n|---|--:|--:|---|')
    lost = False
    for family in args.families or FAMILIES:
        began = time.monotonic()
        seconds = max(60, FAMILIES[family] * args.scale)
        attack = Attack(family, os.path.abspath(args.program), args.scale, args.seed, seconds, private, args.keep)
        try:
            importlib.import_module(f'families.{family}').attack(attack)
        except Exception as error:  # The other families go on.
            traceback.print_exc()
            attack.row(f'{family}: the attack itself').add(repr(error))
        attack.rows[0].note(f'{time.monotonic() - began:.0f} s in all')
        print(f'| **{family}** | | | |')
        for row in attack.rows:
            print(row.cells(), flush=True)
            lost |= bool(row.lost)
    sys.exit(1 if lost else 0)


if __name__ == '__main__':
    main()
