"""Golden playthroughs: what a person types, and what the rite answers, to be read and reviewed as text.

A file begins with its header (``players``, ``scenario``, ``from``, ``to``); then come the inputs, each behind ``>``,
with the answers below it. Comments behind ``#`` are kept. What may be typed is what ``play --plain`` takes: acts and
phrases, ``待`` ``一步`` ``反``, and ``择`` with one of the offered words; ``宾：`` before it says who speaks, where
several play. Acts that one person does in one go stand in one line; 正 marks a player's.

After ``!`` an input says, by hand, what it must come to: ``拒`` refused, or the kinds of fault that it brings upon
anybody (``! 面``). An input without it brings none. So a wrong verdict is not made right by writing the answers anew.
"""
