"""Many cases of one claim in one test: pytest spends milliseconds on a test, more than most of these cases take."""

import functools
import inspect


def for_each(names, cases, ids=None):
    """As pytest.mark.parametrize, but one test for all cases; that which fails is named below its error.

    For cases that take no time and leave nothing behind: they share the fixtures of the test, which ends with the
    first that fails.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    say = ids if callable(ids) else repr
    # pytest.param(…) holds its values
    cases = [case.values if hasattr(case, "marks") else case if len(names) > 1 else [case] for case in cases]
    assert cases, "no case: the test would hold whatever it claims"

    def decorate(test):
        signature = inspect.signature(test)

        @functools.wraps(test)
        def test_all(**fixtures):
            for case in cases:
                values = dict(zip(names, case, strict=True))
                try:
                    test(**fixtures, **values)
                except BaseException as error:
                    error.add_note("in the case " + ", ".join(f"{name} = {say(values[name])}" for name in names))
                    raise

        left = [parameter for name, parameter in signature.parameters.items() if name not in names]
        assert len(left) == len(signature.parameters) - len(names), f"{test.__name__} does not take all of {names}"
        test_all.__signature__ = signature.replace(parameters=left)
        return test_all

    return decorate
