"""Grammars that somebody brings: deep, long, endless, wrong. Exit 0, 2 or 3 in time, never a crash."""

import os

from support import Case, World

BUDGET = 20
GRACE = 5
MEGABYTES = 2000
LEXER = 'ID: [a-z]+;\nWS: [ \\t\\n]+ -> skip;\n'


def attack(a):
    row = a.row(f'brought grammars: exit 0, 2 or 3, below {MEGABYTES} MB, --max-time {BUDGET} kept to {GRACE} s')
    slowest = 0
    for what, files in a.some(grammars().items(), least=8):
        with World(a, Case('in.txt', b'a b c item d e f\n' * 20, 'grep -q item $f')) as world:
            for name, text in files.items():
                world.write(name, text)
            first = next(iter(files))
            lexer = ['--lexer', 'g.l'] if 'g.l' in files else []
            how = ['--language', f'./{first}'] if first.endswith('.so') else ['--grammar', first, *lexer]
            ended = world.run(*how, '--max-time', str(BUDGET), limit=BUDGET + 40)
            slowest = max(slowest, ended.seconds)
            row.add('' if ended.code in (0, 2, 3) else ended.short(), world.holds(), world.left(),
                    f'{ended.seconds:.0f} s' if ended.seconds > BUDGET + GRACE and not ended.hung else '',
                    f'{ended.megabytes} MB' if ended.megabytes > MEGABYTES else '',
                    'no word' if ended.code in (2, 3) and 'error' not in ended.err else '', what=what)
    row.note(f'at most {slowest:.0f} s')


def g4(rules, lexer=LEXER):
    return {'G.g4': f'grammar G;\n{rules}\n{lexer}'}


def yacc(rules, lexer='%%\n[a-z]+ ID\n[ \\n]+ ;\n'):
    return {'g.y': f'%token ID\n%%\n{rules}\n', 'g.l': lexer}


def grammars():
    deep = 10_000

    def doubling(levels):
        return 's: r0+ EOF;\n' + ''.join(f'r{i}: r{i + 1} r{i + 1};\n' for i in range(levels)) + f'r{levels}: ID;'

    def fragments(levels, tail):
        parts = ''.join(f'fragment F{i}: F{i + 1}{tail(i)};\n' for i in range(levels))
        return g4('s: (ID | A)* EOF;', f'A: F0;\n{parts}fragment F{levels}: [a-z];\n{LEXER}')

    found = {
        'a plain one': g4('s: (ID | pair)* EOF;\npair: ID ID;'),
        'brackets in a rule': g4('s: ' + '(' * deep + 'ID' + ')' * deep + '* EOF;'),
        'brackets in a lexer rule': g4('s: ID* EOF;', 'A: ' + '(' * deep + "'a'" + ')' * deep + f';\n{LEXER}'),
        'a chain of 10,000 fragments': fragments(deep, lambda _: ''),
        'a chain of 20,000 rules': g4('s: r0+ EOF;\n' + ''.join(f'r{i}: r{i + 1};\n' for i in range(20_000)) + 'r20000: ID;'),
        'fragments that double, 22 times': fragments(22, lambda i: f' F{i + 1}'),
        'ambiguous': g4('s: x EOF;\nx: x x | x x x | ID;'),
        'left recursion': g4('s: x EOF;\nx: x x | ID;'), 'hidden left recursion': g4('s: x EOF;\nx: e x ID | ID;\ne: ;'),
        'a circle of rules': g4('s: x EOF;\nx: y;\ny: x | ID;'), 'nothing but a circle': g4('s: s;'),
        'empty in a loop': g4('s: (x*)* EOF;\nx: ID?;'), 'empty token': g4('s: ID* EOF;', f"E: 'x'*;\n{LEXER}"),
        'a rule is missing': g4('s: x EOF;'), 'a token is missing': g4('s: XX EOF;'), 'a rule twice': g4('s: ID* EOF;\ns: ID;'),
        'empty language': g4('s: x EOF;\nx: ID x;'), 'no rules': {'G.g4': 'grammar G;'}, 'empty file': {'G.g4': ''},
        'unclosed bracket': g4('s: (ID'), 'unclosed string': g4("s: 'a"), 'unclosed set': g4('s: ID;', 'ID: [a-z'),
        'unclosed action': g4('s: ID {{{;'), 'set the wrong way round': g4('s: ID;', 'ID: [z-a]+;'),
        'binary': {'G.g4': os.urandom(5000)}, 'NUL': {'G.g4': 'grammar G;\n\0s: ID;'},
        'imports itself': {'G.g4': f'grammar G;\nimport G;\ns: ID* EOF;\n{LEXER}'},
        'imports in a circle': {'G.g4': f'grammar G;\nimport H;\ns: ID* EOF;\n{LEXER}', 'H.g4': 'grammar H;\nimport G;\nx: ID;'},
        'import that is not there': {'G.g4': f'grammar G;\nimport Nowhere;\ns: ID* EOF;\n{LEXER}'},
        'mode that is not there': g4('s: ID* EOF;', f"M: 'm' -> pushMode(NOWHERE);\n{LEXER}"),
        'pops modes without end': g4('s: ID* EOF;', 'ID: [a-z]+ -> popMode;\nWS: [ \\n]+ -> skip;'),
        'names like paths': g4('s: \'../../x\'* ID* EOF;\n'), 'import of a path': {'G.g4': 'grammar G;\nimport ../../etc/passwd;\ns: ID;'},
        '.so that is none': {'x.so': b'\x7fELF' + bytes(100)}, 'empty .so': {'x.so': b''},
        'grammar.json that is none': {'grammar.json': '{"name": "x", "rules": {}}'}, 'JSON of brackets': {'grammar.json': '[' * 100_000},
        'grammar.json with an evil name': {'grammar.json': '{"name": "../../x; touch y", "rules": {"s": {"type": "STRING", "value": "a"}}}'},
        'grammar.json in a circle': {'grammar.json': '{"name": "x", "rules": {"s": {"type": "SYMBOL", "name": "s"}}}'},
        'YACC': yacc('s: | s ID;'), 'YACC that doubles': yacc('s: | s x;\nx: x x | ID;'),
        'YACC with a rule missing': yacc('s: x;'), 'YACC unclosed': yacc('s: { { ;'), 'YACC without lexer': {'g.y': '%%\ns: ID;'},
        'Flex with actions': yacc('s: | s ID;', '%%\n[a-z]+ return ID;\n[ \\n]+ ;\n'),
        'Flex, set without end': yacc('s: | s ID;', '%%\n[a-z ID\n'), 'YACC, brackets': yacc('s: ' + '{' * deep + '}' * deep + ' ID;'),
    }
    return found | {f'rules that double, {levels} times': g4(doubling(levels)) for levels in (10, 14, 16, 40)}
