raise RuntimeError("not today")


def shout(text, level, rng):
    return text
