// SPDX-License-Identifier: BSD-3-Clause
#include "quant/calibration.h"

#include <algorithm>
#include <cmath>

namespace openqnn::quant {
namespace {

constexpr size_t kBins = 2048;  // at least half of them are in use once there are values

}  // namespace

std::optional<Calibration> calibration_from(std::string_view name) {
  if (name == "min-max") return Calibration::kMinMax;
  if (name == "percentile") return Calibration::kPercentile;
  if (name == "mse" || name == "sqnr") return Calibration::kMse;
  if (name == "entropy") return Calibration::kEntropy;
  return std::nullopt;
}

void Histogram::add(std::span<const float> values) {
  const Range batch = quant::min_max(values);
  uint64_t finite = 0;
  for (const float value : values) finite += std::isfinite(value) ? 1 : 0;
  not_finite_ += values.size() - finite;
  minus_infinities_ += static_cast<uint64_t>(std::ranges::count(values, -INFINITY));
  if (finite == 0) return;
  seen_ = count_ == 0 ? batch : Range{std::min(seen_.low, batch.low), std::max(seen_.high, batch.high)};
  count_ += finite;
  widen_to(seen_.low, seen_.high);
  for (const float value : values) {
    if (!std::isfinite(value)) continue;
    const auto bin = static_cast<int64_t>(std::floor(static_cast<double>(value) / width_)) - first_;
    ++bins_[static_cast<size_t>(std::clamp<int64_t>(bin, 0, static_cast<int64_t>(bins_.size()) - 1))];
  }
}

void Histogram::widen_to(double low, double high) {
  if (width_ == 0.0) {
    // Powers of two, so that halving and doubling never move an edge.
    const double span = std::max({high - low, std::abs(low) * 1e-6, 1e-12});
    width_ = std::exp2(std::ceil(std::log2(span / (kBins - 2))));
    first_ = static_cast<int64_t>(std::floor(low / width_));
    bins_.assign(kBins, 0);
  }
  // In double: behind values near 0, the place of a large one is in no integer.
  while (std::floor(high / width_) - std::floor(low / width_) >= static_cast<double>(kBins)) {
    std::vector<uint64_t> merged(kBins, 0);
    const int64_t new_first = first_ >> 1;
    for (size_t i = 0; i < bins_.size(); ++i)
      merged[static_cast<size_t>(((first_ + static_cast<int64_t>(i)) >> 1) - new_first)] += bins_[i];
    bins_ = std::move(merged);
    first_ = new_first;
    width_ *= 2.0;
  }
  // Slide, so that both ends are inside.
  auto index = [&](double value) { return static_cast<int64_t>(std::floor(value / width_)); };
  const int64_t needed = index(low);
  if (needed >= first_ && index(high) < first_ + static_cast<int64_t>(kBins)) return;
  const int64_t new_first = needed < first_ ? needed : std::max(needed, first_);
  std::vector<uint64_t> moved(kBins, 0);
  for (size_t i = 0; i < bins_.size(); ++i) {
    const int64_t to = first_ + static_cast<int64_t>(i) - new_first;
    if (bins_[i] != 0) moved[static_cast<size_t>(std::clamp<int64_t>(to, 0, kBins - 1))] += bins_[i];
  }
  bins_ = std::move(moved);
  first_ = new_first;
}

Range Histogram::range(Calibration calibration, uint32_t bits, Scheme scheme, double percentile) const {
  if (count_ == 0) return {};
  switch (calibration) {
    case Calibration::kMinMax:
      return seen_;
    case Calibration::kPercentile:
      return by_percentile(percentile);
    case Calibration::kMse:
      return by_error(bits, scheme);
    case Calibration::kEntropy:
      return by_entropy(bits);
  }
  return seen_;
}

// Cuts off as many values at both ends together as are beyond the percentile, half of them at each.
Range Histogram::by_percentile(double percentile) const {
  const double cut = static_cast<double>(count_) * (1.0 - percentile / 100.0) / 2.0;
  Range range = seen_;
  double below = 0.0;
  for (size_t i = 0; i < bins_.size(); ++i) {
    below += static_cast<double>(bins_[i]);
    if (below > cut) {
      range.low = std::max(seen_.low, centre(i) - width_ / 2);
      break;
    }
  }
  double above = 0.0;
  for (size_t i = bins_.size(); i-- > 0;) {
    above += static_cast<double>(bins_[i]);
    if (above > cut) {
      range.high = std::min(seen_.high, centre(i) + width_ / 2);
      break;
    }
  }
  return range;
}

double Histogram::error_of(Range range, uint32_t bits, Scheme scheme) const {
  const ir::ScaleOffset encoding = unsigned_encoding(range, bits, scheme);
  const auto scale = static_cast<double>(encoding.scale);
  const double low = scale * static_cast<double>(encoding.offset);
  const double high = low + scale * (std::ldexp(1.0, static_cast<int>(bits)) - 1.0);
  // Inside, the error is uniform within half a step whatever the bins are; outside, it is the distance.
  const double inside = scale * scale / 12.0;
  double error = 0.0;
  for (size_t i = 0; i < bins_.size(); ++i) {
    if (bins_[i] == 0) continue;
    const double value = centre(i);
    const double beyond = value < low ? low - value : value > high ? value - high : 0.0;
    error += static_cast<double>(bins_[i]) * (beyond == 0.0 ? inside : beyond * beyond);
  }
  return error;
}

// Both ends are drawn in, first together and then one by one, while that helps.
Range Histogram::by_error(uint32_t bits, Scheme scheme) const {
  constexpr int kTries = 64;
  Range best = seen_;
  double least = error_of(best, bits, scheme);
  auto try_range = [&](Range range) {
    if (const double error = error_of(range, bits, scheme); error < least) {
      least = error;
      best = range;
    }
  };
  auto draw_in = [&](auto&& kept) {
    for (int i = 1; i < kTries; ++i) try_range(kept(1.0 - static_cast<double>(i) / kTries));
  };
  draw_in([&](double keep) { return Range{seen_.low * keep, seen_.high * keep}; });
  const Range together = best;
  draw_in([&](double keep) { return Range{together.low * keep, best.high}; });
  draw_in([&](double keep) { return Range{best.low, together.high * keep}; });
  return best;
}

// The threshold on the magnitude whose histogram, brought down to 2^(bits-1) levels and back, diverges least
// from the true one with what is beyond the threshold counted at its edge.
Range Histogram::by_entropy(uint32_t bits) const {
  // Bins are narrow where the values lie close together, however far from 0.
  const double largest = std::max(std::abs(seen_.low), std::abs(seen_.high));
  const double step = std::max(width_, largest / static_cast<double>(kBins));
  std::vector<double> magnitudes;
  for (size_t i = 0; i < bins_.size(); ++i) {
    if (bins_[i] == 0) continue;
    const auto at = static_cast<size_t>(std::abs(centre(i)) / step);
    if (at >= magnitudes.size()) magnitudes.resize(at + 1, 0.0);
    magnitudes[at] += static_cast<double>(bins_[i]);
  }
  const size_t levels = std::min<size_t>(size_t{1} << (bits - 1), 128);
  if (magnitudes.size() <= levels) return seen_;
  double least = INFINITY;
  size_t best = magnitudes.size();
  double beyond = 0.0;
  for (size_t size = magnitudes.size(); size > levels; --size) {
    if (size < magnitudes.size()) beyond += magnitudes[size];
    double divergence = 0.0;
    double total = beyond;
    for (size_t i = 0; i < size; ++i) total += magnitudes[i];
    for (size_t level = 0; level < levels; ++level) {
      const size_t begin = level * size / levels;
      const size_t end = (level + 1) * size / levels;
      double sum = 0.0;
      double filled = 0.0;
      for (size_t i = begin; i < end; ++i) {
        sum += magnitudes[i];
        filled += magnitudes[i] != 0.0 ? 1.0 : 0.0;
      }
      for (size_t i = begin; i < end; ++i) {
        const double p = (magnitudes[i] + (i + 1 == size ? beyond : 0.0)) / total;
        if (p == 0.0) continue;
        const double q = magnitudes[i] != 0.0 ? sum / filled / total : 1e-9;
        divergence += p * std::log(p / q);
      }
    }
    if (divergence < least) {
      least = divergence;
      best = size;
    }
  }
  const double threshold = static_cast<double>(best) * step;
  return {std::max(seen_.low, -threshold), std::min(seen_.high, threshold)};
}

}  // namespace openqnn::quant
