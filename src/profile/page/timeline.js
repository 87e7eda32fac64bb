// ---- The timeline: one track per unit, then VTCM in use and DDR traffic, on a canvas.

const kGutter = 78,
  kTrack = 22,
  kGap = 4,
  kRuler = 24,
  kArea = 54;

class Timeline {
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.total = Math.max(1, head.total);
    this.from = 0;
    this.to = this.total;
    this.chosen = new Set();
    this.tracks = run.resources.name.map((name, resource) => ({ name, resource, events: [] }));
    for (let i = 0; i < htpCount; i++)
      for (let k = 0; k < run.htp.units[i]; k++) this.tracks[run.htp.res[i] + k].events.push(i);
    this.tracks = this.tracks.filter((track) => track.events.length > 0);
    this.height = kRuler + this.tracks.length * (kTrack + kGap) + 2 * (kArea + kGap) + 8;
    this.ddr = this.traffic();
    this.build();
  }

  build() {
    this.canvas = element("canvas", {
      tabindex: "0",
      role: "application",
      "aria-label":
        "Timeline of the simulated run. W and S zoom, A and D or the arrows move, Home shows all. The table of HTP ops below holds the same.",
    });
    this.canvas.style.height = `${this.height}px`;
    this.tip = element("div", { class: "tip", hidden: true });
    this.range = element("span", { class: "count", role: "status" });
    const button = (text, title, action) =>
      element("button", { type: "button", title, "aria-label": title, onclick: action }, text);
    this.root = element(
      "div",
      {},
      element(
        "div",
        { class: "bar" },
        this.range,
        button("−", "Zoom out (s)", () => this.zoom(1.6)),
        button("+", "Zoom in (w)", () => this.zoom(1 / 1.6)),
        button("Fit", "Fit: show all (Home)", () => this.fit()),
      ),
      element("div", { class: "time" }, this.canvas, this.tip),
    );
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.canvas);
  }

  // ---- Places

  get width() {
    return Math.max(1, this.canvas.clientWidth - kGutter);
  }
  x(cycle) {
    return kGutter + ((cycle - this.from) / (this.to - this.from)) * this.width;
  }
  cycle(x) {
    return this.from + ((x - kGutter) / this.width) * (this.to - this.from);
  }
  top(track) {
    return kRuler + track * (kTrack + kGap);
  }
  areaTop(which) {
    return kRuler + this.tracks.length * (kTrack + kGap) + which * (kArea + kGap);
  }

  set(from, to) {
    const span = Math.min(this.total, Math.max(Math.min(20, this.total), to - from));
    this.from = Math.min(Math.max(0, from), this.total - span);
    this.to = this.from + span;
    this.redraw();
  }
  zoom(factor, around = (this.from + this.to) / 2) {
    this.set(around - (around - this.from) * factor, around + (this.to - around) * factor);
  }
  pan(part) {
    const by = (this.to - this.from) * part;
    this.set(this.from + by, this.to + by);
  }
  fit() {
    this.set(0, this.total);
  }

  // Marks HTP ops, and brings them into sight.
  show(ops, zoom = true) {
    this.chosen = new Set(ops);
    if (zoom && ops.length) {
      let from = Infinity,
        to = 0;
      for (const i of ops) {
        from = Math.min(from, run.htp.start[i]);
        to = Math.max(to, run.htp.start[i] + run.htp.cycles[i]);
      }
      const margin = Math.max(10, (to - from) * 0.4);
      this.set(from - margin, to + margin);
    } else this.redraw();
  }

  // ---- Drawing

  resize() {
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(this.canvas.clientWidth * ratio),
      height = Math.round(this.height * ratio);
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    this.redraw();
  }

  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    if (!this.canvas.clientWidth) return;
    const style = getComputedStyle(document.documentElement);
    this.colour = {
      text: style.getPropertyValue("--text"),
      dim: style.getPropertyValue("--dim"),
      line: style.getPropertyValue("--line"),
      panel: style.getPropertyValue("--panel"),
      accent: style.getPropertyValue("--accent"),
    };
    const pen = this.canvas.getContext("2d"),
      ratio = window.devicePixelRatio || 1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.canvas.clientWidth, this.height);
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "middle";
    this.drawRuler(pen);
    pen.save();
    pen.beginPath();
    pen.rect(kGutter, 0, this.width, this.height);
    pen.clip();
    this.tracks.forEach((track, i) => this.drawTrack(pen, track, this.top(i)));
    this.drawVtcm(pen, this.areaTop(0));
    this.drawDdr(pen, this.areaTop(1));
    pen.restore();
    this.drawNames(pen);
    this.range.textContent =
      `cycles ${integer(this.from)} to ${integer(this.to)} of ${integer(head.total)}` +
      (head.clock_hz ? ` · ${cyclesTime(this.to - this.from)} in sight (simulated)` : "");
    this.canvas.dataset.drawn = String(this.drawn);
    this.canvas.dataset.from = String(Math.round(this.from));
    this.canvas.dataset.to = String(Math.round(this.to));
  }

  drawRuler(pen) {
    const wanted = (this.to - this.from) / Math.max(2, this.width / 110);
    const power = 10 ** Math.floor(Math.log10(Math.max(1, wanted)));
    const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= wanted);
    pen.strokeStyle = this.colour.line;
    pen.fillStyle = this.colour.dim;
    pen.beginPath();
    for (let at = Math.ceil(this.from / step) * step; at <= this.to; at += step) {
      const x = Math.round(this.x(at)) + 0.5;
      pen.moveTo(x, kRuler - 6);
      pen.lineTo(x, this.height);
      pen.fillText(integer(at), x + 3, 10);
    }
    pen.stroke();
    this.drawn = 0;
  }

  drawNames(pen) {
    pen.fillStyle = this.colour.panel;
    pen.fillRect(0, 0, kGutter - 1, this.height);
    pen.fillStyle = this.colour.text;
    this.tracks.forEach((track, i) => pen.fillText(track.name, 10, this.top(i) + kTrack / 2));
    pen.fillText("VTCM", 10, this.areaTop(0) + 10);
    pen.fillText("DDR", 10, this.areaTop(1) + 10);
    pen.fillStyle = this.colour.dim;
    pen.fillText("cycles", 10, 10);
    pen.fillText(bytes(this.vtcmTop()), 10, this.areaTop(0) + 26);
    pen.fillText(this.ddr.most ? `${(this.ddr.most / 1e9).toFixed(1)} GB/s` : "none", 10, this.areaTop(1) + 26);
  }

  // The first event of a track that ends after a cycle. Events of a track never overlap.
  firstAfter(events, cycle) {
    let low = 0,
      high = events.length;
    while (low < high) {
      const middle = (low + high) >> 1,
        i = events[middle];
      if (run.htp.start[i] + run.htp.cycles[i] > cycle) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  drawTrack(pen, track, top) {
    const { events } = track;
    let at = this.firstAfter(events, this.from);
    while (at < events.length && run.htp.start[events[at]] <= this.to) {
      const i = events[at],
        start = run.htp.start[i];
      const left = this.x(start),
        right = this.x(start + run.htp.cycles[i]);
      if (right - left < 1) {
        at = this.drawPixel(pen, events, at, left, top);
        continue;
      }
      pen.globalAlpha = this.chosen.size && !this.chosen.has(i) ? 0.3 : 1;
      pen.fillStyle = htpColour(i);
      pen.fillRect(left, top, right - left - (right - left > 4 ? 1 : 0), kTrack);
      this.drawn++;
      if (right - left > 34) this.drawText(pen, i, Math.max(left, kGutter) + 4, top, right);
      at++;
    }
    pen.globalAlpha = 1;
    this.outlineChosen(pen, track, top);
  }

  // All ops that begin on one pixel: the longest one's colour, as strong as the pixel is busy. Answers the op after them.
  drawPixel(pen, events, at, left, top) {
    const until = this.cycle(left + 1),
      space = until - this.cycle(left);
    let longest = events[at],
      busy = 0,
      marked = false;
    for (; at < events.length && run.htp.start[events[at]] < until; at++) {
      const i = events[at];
      busy += run.htp.cycles[i];
      marked ||= this.chosen.has(i);
      if (run.htp.cycles[i] > run.htp.cycles[longest]) longest = i;
    }
    pen.globalAlpha = (0.2 + 0.8 * Math.min(1, busy / space)) * (this.chosen.size && !marked ? 0.3 : 1);
    pen.fillStyle = htpColour(longest);
    pen.fillRect(left, top, 1, kTrack);
    this.drawn++;
    return at;
  }

  drawText(pen, i, left, top, right) {
    const space = Math.min(right, kGutter + this.width) - left - 4;
    if (space < 24) return;
    const name = this.nameOf(i),
      letters = Math.floor(space / 6.6);
    pen.fillStyle = "#fff";
    pen.fillText(name.length > letters ? `${name.slice(0, Math.max(1, letters - 1))}…` : name, left, top + kTrack / 2);
  }

  outlineChosen(pen, track, top) {
    if (!this.chosen.size || this.chosen.size > 5000) return;
    pen.strokeStyle = this.colour.text;
    for (const i of this.chosen) {
      const first = run.htp.res[i];
      if (track.resource < first || track.resource >= first + run.htp.units[i]) continue;
      const left = this.x(run.htp.start[i]),
        right = this.x(run.htp.start[i] + run.htp.cycles[i]);
      pen.strokeRect(left + 0.5, top + 0.5, Math.max(1, right - left - 1), kTrack - 1);
    }
  }

  // What was granted, unless nothing could be seen then.
  vtcmTop() {
    return Math.max(4 * head.vtcm_peak < head.vtcm_bytes ? 0 : head.vtcm_bytes, head.vtcm_peak, 1);
  }

  drawVtcm(pen, top) {
    const { at, bytes: used } = run.vtcm,
      most = this.vtcmTop();
    pen.fillStyle = "#2aa198";
    // The most that falls on each pixel.
    let k = 0,
      value = 0;
    while (k < at.length && at[k] <= this.from) value = used[k++];
    for (let x = 0; x < this.width; x++) {
      const until = this.cycle(kGutter + x + 1);
      let high = value;
      while (k < at.length && at[k] < until) {
        value = used[k++];
        high = Math.max(high, value);
      }
      const h = (high / most) * kArea;
      if (h > 0) pen.fillRect(kGutter + x, top + kArea - h, 1, h);
    }
    pen.strokeStyle = this.colour.line;
    pen.strokeRect(kGutter + 0.5, top + 0.5, this.width - 1, kArea);
  }

  // DDR bytes a second in equal stretches of the run: an op's bytes spread evenly over its cycles.
  traffic() {
    const count = 2048,
      read = new Float64Array(count),
      write = new Float64Array(count);
    const stretch = this.total / count;
    for (let i = 0; i < htpCount; i++) {
      const type = run.htp.type[i];
      const into = isLoad[type] ? read : isStore[type] ? write : null;
      if (!into || !run.htp.cycles[i]) continue;
      const start = run.htp.start[i],
        end = start + run.htp.cycles[i];
      const rate = (dramRead(i) + dramWritten(i)) / run.htp.cycles[i];
      for (let b = Math.floor(start / stretch); b < count && b * stretch < end; b++)
        into[b] += rate * Math.max(0, Math.min(end, (b + 1) * stretch) - Math.max(start, b * stretch));
    }
    let most = 0;
    const perSecond = head.clock_hz ? head.clock_hz / stretch : 0;
    for (let b = 0; b < count; b++) {
      read[b] *= perSecond;
      write[b] *= perSecond;
      most = Math.max(most, read[b] + write[b]);
    }
    return { read, write, stretch, most };
  }

  drawDdr(pen, top) {
    const { read, write, stretch, most } = this.ddr;
    for (let x = 0; most && x < this.width; x++) {
      const b = Math.min(read.length - 1, Math.floor(this.cycle(kGutter + x + 0.5) / stretch));
      const r = (read[b] / most) * kArea,
        w = (write[b] / most) * kArea;
      pen.fillStyle = loadColour;
      pen.fillRect(kGutter + x, top + kArea - r, 1, r);
      pen.fillStyle = storeColour;
      pen.fillRect(kGutter + x, top + kArea - r - w, 1, w);
    }
    pen.strokeStyle = this.colour.line;
    pen.strokeRect(kGutter + 0.5, top + 0.5, this.width - 1, kArea);
  }

  nameOf(i) {
    const type = run.htp.type[i];
    if (isLoad[type]) return `load ${run.tensors.name[run.htp.tensor[i]]}`;
    if (isStore[type]) return `store ${run.tensors.name[run.htp.tensor[i]]}`;
    return run.ops.name[run.htp.op[i]];
  }

  // ---- Mouse and keys

  at(x, y) {
    const index = Math.floor((y - kRuler) / (kTrack + kGap));
    const track = this.tracks[index];
    if (!track || x < kGutter || y > this.top(index) + kTrack) return -1;
    const place = this.firstAfter(track.events, this.cycle(x - 1));
    const i = track.events[place];
    return i !== undefined && run.htp.start[i] <= this.cycle(x + 1) ? i : -1;
  }

  listen() {
    const canvas = this.canvas;
    let drag = null;
    canvas.addEventListener("pointerdown", (event) => {
      drag = { x: event.offsetX, from: this.from, to: this.to, moved: false };
      canvas.setPointerCapture(event.pointerId);
      canvas.classList.add("drag");
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!drag) return this.hover(event.offsetX, event.offsetY);
      const by = ((drag.x - event.offsetX) / this.width) * (drag.to - drag.from);
      drag.moved ||= Math.abs(drag.x - event.offsetX) > 3;
      if (drag.moved) this.set(drag.from + by, drag.to + by);
    });
    canvas.addEventListener("pointerup", (event) => {
      canvas.classList.remove("drag");
      if (drag && !drag.moved) {
        const i = this.at(event.offsetX, event.offsetY);
        if (i >= 0) this.onChoose(i);
      }
      drag = null;
    });
    canvas.addEventListener("pointerleave", () => {
      this.tip.hidden = true;
    });
    canvas.addEventListener(
      "wheel",
      (event) => {
        // A plain wheel scrolls the page, as everywhere.
        if (event.ctrlKey || event.metaKey) this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.cycle(event.offsetX));
        else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
          this.pan((event.deltaX || event.deltaY) / 800);
        else return;
        event.preventDefault();
      },
      { passive: false },
    );
    canvas.addEventListener("dblclick", (event) => this.zoom(0.4, this.cycle(event.offsetX)));
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const action = {
        w: () => this.zoom(1 / 1.5),
        s: () => this.zoom(1.5),
        a: () => this.pan(-0.2),
        d: () => this.pan(0.2),
        ArrowLeft: () => this.pan(-0.2),
        ArrowRight: () => this.pan(0.2),
        "+": () => this.zoom(1 / 1.5),
        "-": () => this.zoom(1.5),
        Home: () => this.fit(),
      }[event.key];
      if (!action) return;
      action();
      event.preventDefault();
      event.stopPropagation();
    });
  }

  hover(x, y) {
    const i = this.at(x, y);
    this.tip.hidden = i < 0;
    if (i < 0) return;
    const type = run.htpTypes.name[run.htp.type[i]];
    this.tip.replaceChildren(
      element("b", {}, this.nameOf(i)),
      element("span", {}, `${type} for ${run.ops.name[run.htp.op[i]]}`),
      element(
        "span",
        {},
        `${integer(run.htp.cycles[i])} cycles ${cyclesTime(run.htp.cycles[i])} (simulated), bound by ${run.bounds[run.htp.bound[i]]}`,
      ),
    );
    this.tip.style.left = `${Math.min(x + 14, Math.max(0, this.canvas.clientWidth - 300))}px`;
    this.tip.style.top = `${Math.min(y + 14, this.height - 70)}px`;
  }
}
