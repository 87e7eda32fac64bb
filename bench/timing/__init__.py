# SPDX-License-Identifier: BSD-3-Clause
"""A study of how long networks take on the NPU: work counted from graphs, rates fitted to latencies of devices."""
