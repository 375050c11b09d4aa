"""kill -9 at random moments, the same command after each, until it is done."""

import subprocess
from collections import Counter

from support import Case, Poller, World, cases

# Takes a note when a test begins and when it has an answer.
NOTES = 's=$(cksum <$f); echo "$s" >> $W/begun; (\n{body}\n); e=$?; echo "$s" >> $W/ended; exit $e'
KILLS = 12


def attack(a):
    killed = a.row('kill -9 at random moments: result interesting or not there yet, nothing left')
    ends = a.row('the same command until it is done: bytes of a run that nobody disturbed')
    seen = a.row('contents of the result file, seen every millisecond: interesting, smaller each time, never missing')
    again = a.row('contents asked about again, but for input, best and what was under way (1 job)')
    reductions = [(case, jobs) for case in cases() for jobs in (1, 2, 3)]
    a.rng.shuffle(reductions)
    for case, jobs in a.some(reductions[:15], least=3):
        reference, seconds = a.reference(case)
        noting = Case(case.name, case.text, NOTES.format(body=case.body))
        with World(a, noting, args=['--jobs', str(jobs)]) as world:
            world.case = case
            poller = Poller(world.path(world.result_name()))
            poller.start()
            allowed, kills = Counter(), 0
            while True:
                begun, ended = world.noted('begun'), world.noted('ended')
                run = world.start()
                if kills == KILLS or run.over_after(a.rng.uniform(0.02, 0.02 + 0.4 * seconds)):
                    break
                run.kill()
                run.wait()
                kills += 1
                killed.add(world.holds(), world.left())
                allow(world, allowed, len(begun), len(ended))
            ends.add(*world.ends_like(run.wait(), reference), world.left())
            poller.on = False
            poller.join()
            allow(world, allowed, len(world.noted('begun')), 0)
            look(world, poller, seen)
            if jobs == 1:
                asked = Counter(world.noted('begun'))
                for content, times in asked.items():
                    again.add('asked too often' if times > 1 + allowed[content] else '')


def allow(world, allowed, begun, ended):
    """What the next run may ask again: the input twice, the best, and what was not written down."""
    sums = world.noted('begun')
    allowed[sums[0] if sums else ''] += 2
    best = world.result()
    if best is not None:
        # By the run that ends, and by the next one.
        allowed[subprocess.run(['cksum'], input=best, capture_output=True).stdout.decode().strip()] += 2
    answered = world.noted('ended')[ended:]
    known = set(answered[:-1])
    for content in sums[begun:]:
        allowed[content] += content not in known


def look(world, poller, seen):
    sizes = []
    name = f'content.{world.case.name.rpartition(".")[2]}'
    for content in poller.contents:
        world.write(name, content)
        counted = subprocess.run([world.attack.program, 'tokens', world.path(name)], capture_output=True, text=True)
        sizes.append((int(counted.stdout.split()[0]), len(content), content))
        seen.add('' if world.finds(content) else 'not interesting',
                 'did not get smaller' if sizes[1:] and sizes[-1] >= sizes[-2] else '')
    if poller.vanished:
        seen.add('result was missing for a moment')
