"""Many runs at once: on one output all but one are refused; on many outputs none disturbs another."""

from support import World, case


def attack(a):
    plain = case('txt', 10)
    slow = 'sleep 0.01'
    row = a.row('runs on one output at once: one reduces, the others end with exit 9')
    for number, flags in a.some([(2, []), (2, ['--in-place']), *[(8, [])] * 5, (2, ['--in-place'])], least=3):
        reference, _ = a.reference(plain, *flags)
        with World(a, plain, slow, ['--jobs', '1', *flags]) as world:
            codes = sorted(run.wait().code for run in [world.start() for _ in range(number)])
            # One in place that comes late finds the original kept.
            refused = set(codes[1:]) <= {9, 7 if flags else 9}
            row.add('' if codes[0] == 0 and refused else f'exits {codes}',
                    '' if world.result() == reference else 'other result', world.left())
    row = a.row('20 runs on 20 outputs at once: results of a run that nobody disturbed')
    reference, seconds = a.reference(plain)
    together(a, row, plain, slow, reference, seconds, killed=0)
    row = a.row('- with 8 of them killed -9, which then go on')
    together(a, row, plain, slow, reference, seconds, killed=8)


def together(a, row, plain, slow, reference, seconds, killed):
    with World(a, plain, slow, ['--jobs', '1']) as world:
        names = [f'out{number}.txt' for number in range(a.count(20, least=10))]
        runs = [world.start('--output', name) for name in names]
        struck = runs[:min(killed, len(runs) // 2)]
        for run in struck:
            run.over_after(a.rng.uniform(0, seconds / 4))
            run.kill()
        ends = [run.wait() for run in runs]
        row.add(world.left())
        for name, run, ended in zip(names, runs, ends):
            if run in struck:
                ended = world.run('--output', name)
            row.add('' if ended.code == 0 else ended.short(), '' if world.read(name) == reference else 'other result')
