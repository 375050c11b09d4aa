"""Tests that break on the way: never exit 0 with a wrong result, and the mended test brings the same command to its end."""

from support import Case, World, case

# What becomes of the script after question N. It is replaced as editors do: another file takes its name.
SCRIPTS = {
    'removed': 'rm "$0"', 'not executable': 'chmod -x "$0"', 'emptied': 'put ""', 'without #!': 'put "exit 1"',
    'replaced by exit 0': 'put "#!/bin/sh\nexit 0"', 'replaced by exit 1': 'put "#!/bin/sh\nexit 1"',
    'replaced by exit 127': 'put "#!/bin/sh\nexit 127"',
    'replaced by another bug': 'put "#!/bin/sh\ngrep -q item5 in.txt"',
}
PUT = 'put() { printf "$1" > "$0.new"; chmod +x "$0.new"; mv "$0.new" "$0"; }\n'
FILES = {
    'result replaced': 'echo other > $W/home/in.reduced.txt', 'result deleted': 'rm -f $W/home/in.reduced.txt',
    'result became a folder': 'rm -f $W/home/in.reduced.txt; mkdir $W/home/in.reduced.txt',
    'input replaced': 'echo other > $W/home/in.txt', 'input deleted': 'rm -f $W/home/in.txt',
    'journal deleted': 'rm -f $W/state/dwindle/*', 'journal replaced': 'for j in $W/state/dwindle/*; do echo x > $j; done',
    'state deleted': 'rm -rf $W/state', 'output folder moved': 'mv $W/home $W/moved',
}
AFTER = (2, 3, 10, 40, 100)


def attack(a):
    plain = case('txt', 20)
    reference, _ = a.reference(plain)
    broken = a.row('script removed, emptied, replaced after question N: not exit 0 with another result')
    mended = a.row('- script back: the same command reaches the result of a run that nobody disturbed')
    trials = [(what, action, after) for what, action in SCRIPTS.items() for after in (2, 40)]
    for what, action, after in a.some(trials, least=8):
        with World(a, plain, f'{PUT}[ -e $W/mended ] || [ $(wc -l <$W/runs) != {after} ] || {{ {action}; }}',
                   ['--jobs', '1']) as world:
            script = world.read('test.sh').decode().removeprefix('#!/bin/sh\n')
            run_both(world, reference, f'{what} after {after}', broken, mended,
                     lambda world: world.program('test.sh', script.rstrip('\n')))
    gone = a.row('a tool of the test vanishes after question N: not exit 0 with another result')
    back = a.row('- tool back: the same command reaches the result of a run that nobody disturbed')
    tool = Case(plain.name, plain.text, '$W/tool $f')
    vanish = '[ -e $W/mended ] || [ $(wc -l <$W/runs) -le {after} ] || rm -f $W/tool'
    for after in a.some(AFTER, least=5):
        with World(a, tool, vanish.format(after=after), ['--jobs', '1']) as world:
            world.case = plain
            bring_tool(world)
            run_both(world, reference, f'after {after}', gone, back, bring_tool)
    row = a.row('- away for a while: not exit 0 with another result and no word')
    windows = [(first, length) for first in (3, 10, 40, 80) for length in (1, 2, 5, 10, 20, 40)] * 2
    for first, length in a.some(windows, least=6):
        window = f'n=$(wc -l <$W/runs); [ $n -gt {first} ] && [ $n -le {first + length} ] && exit 127'
        with World(a, plain, window, ['--jobs', '1']) as world:
            ended = world.run()
            said = 'warning' in ended.err.replace('runs as root', '') or 'flaky' in ended.err
            silent = ended.code == 0 and world.result() != reference and not said
            row.add(f'{len(world.result())} B for {len(reference)} B' if silent else '', world.holds(), world.left(),
                    what=f'{first} to {first + length}')
    changed = a.row('files of a run changed or deleted in mid-run: not exit 0 with another result')
    with World(a, plain, args=['--jobs', '1']) as world:
        world.run()
        last = len(world.noted('runs'))
    for what, action, after in a.some([(*item, after) for item in FILES.items() for after in (3, 40, last)], least=8):
        with World(a, plain, f'[ $(wc -l <$W/runs) != {after} ] || {{ {action}; }}', ['--jobs', '1']) as world:
            ended = world.run()
            where = f'{what} at {"the last question" if after == last else after}'
            changed.add(*world.ends_like(ended, reference, (0, 7, 8)), world.left(), what=where)


def bring_tool(world):
    world.program('../tool', f'f=$1\n{world.case.body}')


def run_both(world, reference, what, broken, mended, mend):
    ended = world.run()
    broken.add(*world.ends_like(ended, reference, (0, 4, 5, 6, 8)), world.holds(), world.left(), what=what)
    mend(world)
    world.write('../mended', '')
    ended = world.run()
    mended.add(*world.ends_like(ended, reference), world.left(), what=what)
