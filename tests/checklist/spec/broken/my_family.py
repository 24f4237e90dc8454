def shout(text, level, rng):
    return text.upper()


def two(text, level):
    return text
