"""Functions of somebody else that several tests make kernels of."""

import debox


def twice(x):
    """2 x, not marked as a kernel"""
    return 2 * x


@debox.kernel
def learn_nothing(F_Cr, gain, memory, cell):
    """The memory stays"""
    return cell
