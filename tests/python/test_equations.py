import json

import numpy
import pytest
import xorloom

EXAMPLE = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0"


def outputs(equations):
    """What each output is of inputs, computed here."""
    made = {element: {element} for element in equations.inputs}
    for element, operands in equations.equations:
        value = set()
        for operand in operands:
            value ^= made[operand]
        made[element] = value
    return [made[element] for element in equations.outputs]


def test_the_worked_example():
    direct = xorloom.equations(EXAMPLE, style="direct")
    iterative = xorloom.equations(EXAMPLE)
    assert (direct.xors, direct.temporaries, len(direct)) == (45, 0, 6)
    assert direct.equations[0] == (15, [2, 3, 4, 5, 7, 9, 11, 12])
    assert iterative.xors == 24
    assert outputs(iterative) == outputs(direct)
    assert "24 XORs" in repr(iterative)
    assert iterative.longest_path >= iterative.critical_path > 0
    assert iterative.longest_equation < direct.longest_equation


def test_losses_and_updates():
    lost = xorloom.equations(EXAMPLE, erased=[0, 3])
    assert lost.outputs == [0, 1, 2, 9, 10, 11]
    some = xorloom.equations(EXAMPLE, erased=[0, 3], wanted=[3], style="direct")
    assert some.outputs == [9, 10, 11]
    changed = xorloom.equations(EXAMPLE, updated=[2], style="direct")
    assert len(changed.outputs) == 6


def test_programs_that_come_with_the_library_are_taken():
    for effort in ("fast", "normal"):
        made = xorloom.equations("cauchy-good:k=10,m=4,w=8", effort=effort)
        assert made.xors == 326
        assert json.loads(made.to_json())["search"]["effort"] == "max"
    # A search begins with them, and is never worse.
    assert xorloom.equations("cauchy-good:k=10,m=4,w=8", steps=1000, seed=7).xors <= 326
    assert xorloom.equations("cauchy-good:k=12,m=4,w=8", effort="fast").xors <= 425
    searched = xorloom.equations(EXAMPLE, effort="fast")
    assert json.loads(searched.to_json())["search"] == {"effort": "fast", "seed": 1}


def test_json_and_text_come_back():
    made = xorloom.equations(EXAMPLE, effort="fast")
    assert json.loads(made.to_json())["format"] == "xorloom-equations"
    for text in (made.to_json(), made.to_text()):
        back = xorloom.Equations.from_text(text)
        assert back.equations == made.equations and back.xors == made.xors
    with pytest.raises(xorloom.Error):
        xorloom.Equations.from_text(made.to_json().replace('"version": 1', '"version": 99'))
    with pytest.raises(xorloom.Error):
        xorloom.Equations.from_text("eq. 1: 3 = XOR(")


@pytest.mark.parametrize("kind", [list, numpy.array])
def test_matrices(kind):
    matrix = kind([[1, 1, 1, 0], [1, 1, 0, 1], [1, 1, 1, 1]])
    found = xorloom.optimize(matrix)
    assert found.spec is None
    assert outputs(found) == [{0, 1, 2}, {0, 1, 3}, {0, 1, 2, 3}]
    assert found.xors == 4
    assert xorloom.optimize(matrix, steps=1000, seed=7).xors == 4
    assert xorloom.optimize(matrix, seconds=0.05).xors == 4


def test_wrong_matrices_and_options():
    for matrix, sentence in (
        ([], "no rows"),
        ([[1, 0], [1]], "row 1 of the matrix has 1 entries, and row 0 has 2"),
        ([[1, 2]], "the entry 2 in row 0 and column 1 of the matrix is not 0 or 1"),
    ):
        with pytest.raises(xorloom.Error, match=sentence):
            xorloom.optimize(matrix)
    with pytest.raises(xorloom.Error, match="style = 'odd' is not direct or iterative"):
        xorloom.equations(EXAMPLE, style="odd")
    with pytest.raises(xorloom.Error, match="effort = 'odd' is not fast or normal"):
        xorloom.equations(EXAMPLE, effort="odd")
    with pytest.raises(xorloom.Error, match="seconds = -1 is not"):
        xorloom.equations(EXAMPLE, seconds=-1)


def test_families():
    assert "cauchy-good" in xorloom.families()


def test_a_report_is_data():
    made = xorloom.report(EXAMPLE, cores=[1, 6], effort="fast")
    assert [each["source"] for each in made["sets"]] == ["direct", "iterative"]
    direct, iterative = made["sets"]
    assert direct["xors"] == 45 and iterative["xors"] < 30
    assert direct["code"]["k"] == 5
    assert [cores["cores"] for cores in direct["on_cores"]] == [1, 6]
    assert direct["on_cores"][1]["makespan"] < direct["on_cores"][0]["makespan"]

    lost = xorloom.report(EXAMPLE, erased=[0, 3], effort="fast")
    assert lost["erased"] == [0, 3]
    mine = xorloom.equations(EXAMPLE, erased=[0, 3])
    assert xorloom.report(mine, erased=[0, 3])["sets"][0]["xors"] == mine.xors


def test_a_report_of_other_equations_is_refused():
    with pytest.raises(xorloom.Error, match="are not those of the chunks that erased names"):
        xorloom.report(xorloom.equations(EXAMPLE), erased=[1])
    with pytest.raises(xorloom.Error, match="not of a code"):
        xorloom.report(xorloom.optimize([[1, 1], [1, 0]]))
    with pytest.raises(xorloom.Error, match="0 cores are not one of 1 to 4096"):
        xorloom.report(EXAMPLE, cores=[0])
    with pytest.raises(xorloom.Error, match="cores names no number"):
        xorloom.report(EXAMPLE, cores=[])
    with pytest.raises(ValueError, match="needs a spec"):
        xorloom.report()
