# SPDX-License-Identifier: BSD-3-Clause
"""The measured latencies (data/calibration), the chips that they come from, and the families that are held out together."""

import csv
import dataclasses
import pathlib

FILE = pathlib.Path(__file__).resolve().parents[2] / "data/calibration/device_latency.csv"
APART = "qcm6690"  # many times slower than its architecture's other parts, so it would pull the shared coefficients
PRECISIONS = ("float", "w8a8", "w8a16")

FAMILIES = (
    ("resnet18", "resnet50", "resnet101", "fcn_resnet50"),
    ("regnet",),
    ("mobilenet_v2", "mobilenet_v3_large", "efficientnet_b0", "efficientnet_lite4"),
    ("googlenet", "inception_v3"),
    ("quicksrnetsmall", "sesr_m5", "real_esrgan_x4plus", "dncnn"),
    ("vit", "bert_base_uncased_hf", "swin_tiny", "segformer_base"),
    ("convnext_tiny",),
    ("densenet121",),
    ("shufflenet_v2",),
    ("squeezenet1_1",),
    ("unet_segmentation",),
    ("yolov8_det",),
)

UNSTABLE_WEIGHT = 0.2  # of a row that earlier measurements contradict, in a fit

THREADS = {"v79": 6, "v81": 8}  # HVX threads; 4 on older architectures
VTCM_BYTES = {"qcs6490": 2 << 20, "qcm6690": 4 << 20, "snapdragon-7gen4": 4 << 20, "sa7255p": 4 << 20}  # as data/socs.json has them, or assumes


@dataclasses.dataclass(frozen=True)
class Chip:
    """What of a part is known beforehand, so that no coefficient stands for it."""
    name: str
    arch: str

    @property
    def threads(self):
        return THREADS.get(self.arch, 4)

    @property
    def vtcm_bytes(self):
        return VTCM_BYTES.get(self.name, 8 << 20)

    @property
    def old(self):
        """Whether the vector unit is of the generation before v73."""
        return self.arch in ("v68", "v69")


@dataclasses.dataclass(frozen=True)
class Row:
    """One latency. `stable` says that earlier measurements agree with it."""
    model: str
    precision: str
    chip: Chip
    microseconds: float
    stable: bool


def read(path=FILE):
    with open(path, encoding="utf-8", newline="") as file:
        return [Row(line["model"], line["precision"], Chip(line["chipset"].removeprefix("qualcomm-"), line["htp_arch"]),
                    float(line["inference_time_us"]), line["unstable"] == "0") for line in csv.DictReader(file)]


def chips_of(rows):
    """By architecture, then by name."""
    return sorted({row.chip for row in rows}, key=lambda chip: (chip.arch, chip.name))
