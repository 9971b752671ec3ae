"""Whole short festivals with everything going wrong, from one seed.

One process drives phones, the desk, readers, the clock, the network and crashes. Everything follows
from the seed, so a failing run can be repeated step by step. After every step the invariants are
checked, and in the end there must be a champion.

    python -m tests.simulation                     random seeds until stopped
    python -m tests.simulation --seconds 60        known seeds first, then random ones
    python -m tests.simulation --seed 4711 --log   one festival, logged step by step

A seed that found a bug goes into ``seeds.txt`` with a note on the bug.
"""
