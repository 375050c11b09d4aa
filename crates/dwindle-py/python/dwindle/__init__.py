"""Test-case reduction: a text or a list made as small as can be while a predicate of yours stays true.

>>> import dwindle
>>> dwindle.reduce("hay needle hay", lambda text: "needle" in text).text
'needle'
>>> dwindle.minimize(range(100), lambda numbers: 7 in numbers and 42 in numbers).items
[7, 42]
>>> dwindle.isolate("a\\nb\\nc\\n", "A\\nB\\nC\\n", lambda text: "fail" if "B" in text else "pass").failing
'a\\nB\\nc\\n'
"""

from ._dwindle import __version__, choices
from ._errors import Error, FlakyPredicate, NotInteresting
from ._isolate import Isolated, IsolatedList, Outcome, isolate
from ._minimize import Minimized, minimize
from ._progress import Progress
from ._reduce import Reduction, reduce

__all__ = [
    "Error",
    "FlakyPredicate",
    "Isolated",
    "IsolatedList",
    "Minimized",
    "NotInteresting",
    "Outcome",
    "Progress",
    "Reduction",
    "__version__",
    "choices",
    "isolate",
    "minimize",
    "reduce",
]
