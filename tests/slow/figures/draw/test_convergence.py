from results import EVALUATIONS, HISTORY, RESULT

from debox.figures.data.convergence import convergence
from debox.figures.draw.convergence import draw_page
from debox.figures.draw.style import empty_figure, in_style


def test_three_curves_share_their_evaluations_and_each_has_its_axis():
    with in_style("paper"):
        figure = empty_figure((3.5, 3.6))
        draw_page(figure, convergence(RESULT))
    for ax, name in zip(figure.axes, ("fun", "spread", "pois"), strict=True):
        (line,) = ax.lines
        assert line.get_xdata().tolist() == EVALUATIONS.tolist()
        assert line.get_ydata().tolist() == HISTORY[name].tolist()
        assert line.get_drawstyle() == "steps-post"
        assert ax.get_yscale() == ("linear" if name == "pois" else "log")
        assert ax.get_xlim() == figure.axes[0].get_xlim()
    assert [ax.get_xlabel() for ax in figure.axes] == ["", "", "evaluations"]
