#!/usr/bin/env python3
"""Makes proposers.json with nothing of Parley: the order of proposers, in words of its own.

    make_proposers.py    writes the file; the same bytes each time
"""
import hashlib, json, pathlib, random

HERE = pathlib.Path(__file__).parent
EPOCH, FIRST_WAIT = 8_192, 256


def sha(b): return hashlib.sha256(b).digest()


def words(set_hash, height):
    counter = 0
    while True:
        digest = sha(b"parley-proposers\n" + set_hash + height.to_bytes(8, "big") + counter.to_bytes(4, "big"))
        for at in range(0, 32, 4): yield int.from_bytes(digest[at:at + 4], "big")
        counter += 1


def shuffled(set_hash, height, size):
    order, stream = list(range(size)), words(set_hash, height)
    for last in reversed(range(1, size)):
        chosen = next(stream) % (last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def story(name, size, first, heights, silent, rng):
    """A chain from `first` on, in which some never propose and the others always do; now and then another one's turn is lost."""
    keys = sorted(sha(b"%s %d" % (name.encode(), n)).hex() for n in range(size))
    set_hash = sha(name.encode())
    missed, until, blocks = {}, {}, []
    for height in range(first, first + heights):
        if height % EPOCH == 0: missed, until = {}, {}
        order = shuffled(set_hash, height, size)
        back = [] if height % EPOCH == 0 else [index for index, key in enumerate(keys) if until.get(key, 0) > height]
        back = sorted(back, key=lambda index: (-missed[keys[index]], -until[keys[index]], index))[:(size - 1) // 3]
        order = [index for index in order if index not in back] + [index for index in order if index in back]
        turn = next(at for at, index in enumerate(order) if keys[index] not in silent(keys) and rng.random() > 0.1)
        for index in order[:turn]:
            key = keys[index]
            missed[key] = missed.get(key, 0) + 1
            until[key] = height + 1 + FIRST_WAIT * 2 ** min(missed[key] - 1, 5)
        proposer = keys[order[turn]]
        missed.pop(proposer, None), until.pop(proposer, None)
        blocks.append({"height": height, "order": order, "proposer": proposer})
    return {"name": name, "validators": keys, "validatorsHash": set_hash.hex(), "blocks": blocks}


rng = random.Random(18)
shuffles = [{"validatorsHash": sha(b"set %d" % n).hex(), "height": height, "size": size, "order": shuffled(sha(b"set %d" % n), height, size)}
            for n, (height, size) in enumerate([(1, 1), (1, 2), (1, 3), (2, 3), (7, 4), (8, 4), (2**32 + 1, 9), (2**53 - 1, 10), (5, 100), (6, 100)])]
stories = [
    story("one", 1, 1, 3, lambda keys: [], random.Random(1)),
    story("two, too few for one to stand behind", 2, 1, 8, lambda keys: keys[1:], rng),
    story("four, one silent", 4, 1, 300, lambda keys: keys[1:2], rng),
    story("ten, three neighbours silent, over the end of an epoch", 10, 8_150, 80, lambda keys: keys[2:5], rng),
    story("seven, of whom four miss turns, two may stand behind", 7, 100, 320, lambda keys: keys[1:5], rng),
]
text = json.dumps({"shuffles": shuffles, "stories": stories}, ensure_ascii=False)
(HERE / "proposers.json").write_text(text + "\n", encoding="utf-8")
