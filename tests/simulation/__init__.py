"""Whole short festivals with everything going wrong, from one seed.

One process drives phones, the desk, readers, the clock, the network and crashes. Whatever happens
follows from the seed, so a run that broke something can be had again, step by step. After every
step the invariants are looked at, and in the end there must be a champion.

    python -m tests.simulation                     seeds of chance until stopped
    python -m tests.simulation --seconds 60        known seeds first, then seeds of chance
    python -m tests.simulation --seed 4711 --log   one festival, told step by step

A seed that found something goes into ``seeds.txt`` with what it found.
"""
