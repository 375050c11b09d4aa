"""What stands between dwindle and its tests is killed or stopped for a while: guards, keepers, tests."""

import signal

from support import World, cases, children, descendants, name_of, tell

ROUNDS = 64
KINDS = ('keeper', 'guard', 'both', 'test', 'stop keeper', 'stop guard', 'stop test')


def attack(a):
    rows = {kind: a.row(f'kill -9 of {"keeper and guard" if kind == "both" else kind}' if 'stop' not in kind else
                        f'STOP, then CONT of {kind[5:]}') for kind in KINDS}
    chosen = cases()
    rounds = [(KINDS[i % len(KINDS)], chosen[i % len(chosen)], (1, 2, 4)[i % 3]) for i in range(ROUNDS)]
    strikes = 0
    for kind, case, jobs in a.first(rounds, least=len(KINDS)):
        reference, seconds = a.reference(case)
        with World(a, case, args=['--jobs', str(jobs)]) as world:
            run = world.start()
            for _ in range(4):
                if run.over_after(a.rng.uniform(0.05, 0.05 + 0.3 * seconds)):
                    break
                strikes += strike(a, run, kind)
            ended = run.wait()
            if kind == 'test' and ended.code == 0:
                # Whoever is killed from outside says no, so the result may be larger.
                complaints = [world.holds(False)]
            elif ended.code == 8 and 'killed twice on one candidate' in ended.err:
                rows[kind].note('exit 8, killed twice on one candidate')
                complaints = [world.holds(False)]
            else:
                complaints = world.ends_like(ended, reference)
            rows[kind].add(*complaints, world.left())
    rows['keeper'].note(f'{strikes} kills and stops')


def strike(a, run, kind):
    """Kills or stops one of that kind; says how many there were."""
    guards = [pid for pid in children(run.pid) if name_of(pid) == 'dwindle-guard']
    keepers = [pid for guard in guards for pid in children(guard)]
    tests = [pid for keeper in keepers for pid in descendants(keeper)]
    among = {'guard': guards, 'both': guards, 'test': tests}.get(kind.split()[-1], keepers)
    if not among:
        return 0
    pid = a.rng.choice(among)
    victims = [pid, *children(pid)] if kind == 'both' else [pid]
    for victim in victims:
        tell(victim, signal.SIGSTOP if kind.startswith('stop') else signal.SIGKILL)
    if kind.startswith('stop'):
        run.over_after(0.2)
        tell(pid, signal.SIGCONT)
    return len(victims)
