# SPDX-License-Identifier: BSD-3-Clause
"""What limits each of the hottest functions, for docs/performance.md.

Said by hand: from what the loops are made of, from instructions counted, and from shares of what this machine's ports gave when
nothing else was asked of them (457 GOP/s by VNNI, 114 GF/s by FMA). There are no hardware counters to ask.
"""

ADDRESSES = "latency: addresses, worked out one after another, once for each row of a tile and each tap"
ROWS = "latency: pointers to the rows of a tile and its constants, a call for each tile"
STREAMS = "memory: a pass over tensors that L1 does not hold; the arithmetic hides behind it"
CHOICE = "calls: the choice of the instance for as many rows as a tile has"

# By name without namespaces and template arguments.
SAMPLED = {
    "halves_of_block": "ports: FMA; 92 % of what they can give in ResNet-50, the rest widens weights",
    "bytes_of_rows": "ports: VNNI; 91 % of what they can give in ResNet-50, two thirds where sums are short (MobileNet-V2)",
    "halves": CHOICE,
    "bytes": CHOICE,
    "run_halves": ROWS,
    "run_bytes": ROWS,
    "ConvRows::find_steps": ADDRESSES,
    "ConvRows::call": ADDRESSES,
    "FunctionRef": ADDRESSES,
    "depth_halves": "L1: two loads for each FMA, the activations and the weights",
    "depth_bytes": "ports: shuffles that bring four taps of a channel together; 9 taps fill 12 places",
    "widen": "L1: stores, four bytes for each two read",
    "half_by_vectors": STREAMS,
    "clip_halves": STREAMS,
    "clip8": STREAMS,
    "byte_vectors": "rounding: to float and back, and the check for ties, beside one multiplication",
    "lookup16": "L2: a load for each element from a table of 128 KiB, more than L1 holds",
    "lookup16_to_8": "L2: a load for each element from a table of 64 KiB, more than L1 holds",
    "lookup_by_permutation": "ports: permutations, four for each 64 bytes",
    "transpose_axes": "L1: elements one by one, on one side from line to line",
    "sum_halves": "latency: sums in the order of the taps, in double",
    "sum_integers": "ports: bytes widened to 32 bits before they are added",
    "sum_of_integers": "ports: permutations that look weights up, and their sums in 64 bits",
    "softmax_halves": "ports: the polynomial of the exponential, in double",
    "softmax_bytes": "rounding: of each result, with the check for ties",
    "normalise": "ports: divisions of doubles",
    "write_half_vectors": "rounding: double to half, once",
    "ByteWeights::pack": "L1: bytes of an operand that is no constant, moved into blocks one by one",
    "read_fixed": "ports: integers to doubles, eight at a time",
    "__memmove_avx512_unaligned_erms": STREAMS,
}
PAIRS = "ports: two multiplications of pairs, two additions and a widening for 32 products; AVX2 has no exact product of bytes"
COUNTED = {
    "bytes": PAIRS,
    "byte_sums": PAIRS,
    "for_each_part": PAIRS,
    "half_rows": "ports: FMA; twelve sums leave room for two weights and one activation",
    "part_sums": "ports: FMA, of the rows that are left over",
    "halves_by_sums": "L1: sums go through memory before they are rounded",
    "half_sums": CHOICE,
    "for_each_depth_sum": "L1: two loads for each FMA, the activations and the weights",
    "finish_halves": "rounding: bias, range, and float to half",
    "depth_bytes": ROWS,
    "depth_bytes_at": "ports: shuffles that bring four taps of a channel together, then widening of both sides",
    "fixed_loop": SAMPLED["byte_vectors"],
    "lookup8": "latency: one load for each byte, eight under way",
    "half_vectors": STREAMS,
    "exact_bytes": "ports: divisions of doubles",
    "weigh": "ports: the polynomial of the exponential, in double",
    "max_integers": "L1: one load for each comparison",
    "find_filter_lines": ADDRESSES,
    "sum_of_squares": "latency: eight sums side by side, in double, so that every machine gives the same",
    "__memcpy_avx_unaligned_erms": STREAMS,
    "softmax_bytes": "L1: a weight looked up for each element, then its result",
    "look_up": "L2: a load for each element from a table that L1 does not hold",
}


def limit_of(function, counted):
    """What limits a function of a list of samples, or of instructions counted; None when nobody has said so."""
    name = function.split("<")[0].removeprefix("ops::").removeprefix("fast::")
    return (COUNTED.get(name) if counted else None) or SAMPLED.get(name)
