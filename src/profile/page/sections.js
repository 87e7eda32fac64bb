// ---- The sections of the page, each built when it is first opened.

const main = document.getElementById("main");
const nav = document.getElementById("nav");
const sections = new Map();
const tables = new Map();

// A section that is built when it is first opened.
function section(id, title, hint, build, open = false) {
  const body = element("div", { class: "body" });
  const root = element(
    "details",
    { class: "section", id, open },
    element("summary", {}, element("h2", {}, title), element("span", {}, hint)),
    body,
  );
  const one = {
    root,
    built: false,
    build: () => {
      if (!one.built) {
        one.built = true;
        body.append(...[build()].flat());
      }
    },
  };
  root.addEventListener("toggle", () => {
    if (root.open) one.build();
  });
  sections.set(id, one);
  main.append(root);
  nav.append(
    element(
      "li",
      {},
      element(
        "a",
        {
          href: `#${id}`,
          onclick: (event) => {
            event.preventDefault();
            openSection(id);
          },
        },
        title,
      ),
    ),
  );
  if (open) one.build();
}

function openSection(id, scroll = true) {
  const one = sections.get(id);
  one.root.open = true;
  one.build();
  if (scroll) one.root.scrollIntoView({ block: "start" });
  for (const link of nav.querySelectorAll("a")) link.toggleAttribute("aria-current", false);
  nav.querySelector(`a[href="#${id}"]`).setAttribute("aria-current", "true");
  return one;
}

function table(id, options) {
  const made = new DataTable({ id, ...options });
  tables.set(id, made);
  return made.root;
}
function tableOf(sectionId) {
  openSection(sectionId, false);
  return tables.get(sectionId);
}

// ---- Columns that several tables share. `t` holds the columns of a group of HTP ops.

const activeCycles = run.opTypes.cycles.reduce((sum, cycles) => sum + cycles, 0);
function costColumns(t) {
  const int = (key, title, values, more = {}) => ({ key, title, numeric: true, pie: true, value: (i) => values[i], ...more });
  return [
    int("cycles", "Cycles", t.cycles, {
      help: "Cycles of computing units; units run side by side, so sums may exceed the timeline",
    }),
    {
      key: "active",
      title: "% of active",
      numeric: true,
      value: (i) => (activeCycles ? (100 * t.cycles[i]) / activeCycles : 0),
      text: (i) => percent(t.cycles[i], activeCycles),
      meter: (i) => (activeCycles ? t.cycles[i] / activeCycles : 0),
    },
    int("dominant", "Dominant path", t.dom, { help: "Cycles in which it was the most important op: HMX before HVX before DMA" }),
    {
      key: "share",
      title: "% of path",
      numeric: true,
      value: (i) => (head.total ? (100 * t.dom[i]) / head.total : 0),
      text: (i) => percent(t.dom[i], head.total),
      meter: (i) => (head.total ? t.dom[i] / head.total : 0),
    },
    int("dma", "DMA cycles", t.dma),
    int("htp", "HTP ops", t.n),
    ...trafficColumns(t),
  ];
}
function trafficColumns(t) {
  return [
    ["dr", "DRAM read"],
    ["dw", "DRAM write"],
    ["vr", "VTCM read"],
    ["vw", "VTCM write"],
  ].map(([key, title]) => ({ key, title, numeric: true, pie: true, value: (i) => t[key][i], text: (i) => bytes(t[key][i]) }));
}

// ---- Sections

function card(name, value, note) {
  return element(
    "div",
    { class: "card" },
    element("dt", {}, name),
    element("dd", {}, value, note ? element("small", {}, note) : null),
  );
}
const sum = (values) => values.reduce((a, b) => a + b, 0);

function overallSection() {
  const band = head.error_band ? `±${Math.round(100 * head.error_band)}\u00a0%` : "not stated";
  const dr = sum(run.resources.dr),
    dw = sum(run.resources.dw);
  const cards = element(
    "dl",
    { class: "cards" },
    card("Accelerator time", micros(head.accelerator_us), `simulated, error band ${band}`),
    card("Inferences a second", integer(head.accelerator_us ? 1e6 / head.accelerator_us : 0), "by accelerator time alone"),
    card(
      "QNN execute",
      head.client_us ? micros(head.client_us) : "-",
      head.client_us ? `of that RPC with accelerator ${micros(head.rpc_us)}` : "of the whole call only",
    ),
    card("Cycles", integer(head.total), head.clock_hz ? `${Math.round(head.clock_hz / 1e6)} MHz` : "no clock"),
    card("Some unit busy", percent(head.busy, head.total), `idle ${percent(head.total - head.busy, head.total)}`),
    card("VTCM peak", bytes(head.vtcm_peak), `of ${bytes(head.vtcm_bytes)}`),
    card("DDR traffic", bytes(dr + dw), `${bytes(dr)} in, ${bytes(dw)} out`),
    card("Ops", integer(opCount), `${integer(htpCount)} HTP ops`),
  );
  const pies = element(
    "div",
    { class: "split" },
    donut(
      [
        ...run.opTypes.type.map((label, i) => ({ label, value: run.opTypes.dom[i], text: "", colour: typeColour.get(label) })),
        { label: "(idle)", value: head.total - head.busy, text: "", colour: "#c4cad1", isRest: true },
      ],
      "Dominant path by op type",
      (name) => {
        openSection("qnn-ops");
        tables.get("qnn-ops").setFilter("type", `=${name}`);
      },
    ),
    element(
      "div",
      {},
      element("h3", {}, "Run"),
      facts([
        ["Graph", head.graph],
        ["Part", `${head.soc || "?"} (v${head.arch})`],
        ["Prepared for", head.prepared_for !== head.soc ? head.prepared_for : ""],
        ["HVX threads", String(head.hvx_threads)],
        ["Cores", head.cores > 1 ? String(head.cores) : ""],
        ["Optimization", `O${head.optimization}`],
        ["Transfers", head.transfers.join(", ")],
        ["Timing model", head.timing],
        ["Error band", band],
        ["Made by", head.made_by],
        ["Assumed", head.assumptions.join("; ")],
      ]),
    ),
  );
  const r = run.resources;
  return [
    cards,
    pies,
    table("overall", {
      caption: "HTP resources",
      count: r.name.length,
      columns: [
        { key: "name", title: "Unit", value: (i) => r.name[i] },
        { key: "tid", title: "Thread id", numeric: true, value: (i) => r.tid[i], text: (i) => String(r.tid[i]) },
        { key: "start", title: "First cycle", numeric: true, value: (i) => r.start[i] },
        { key: "end", title: "Last cycle", numeric: true, value: (i) => r.end[i] },
        { key: "used", title: "Cycles used", numeric: true, pie: true, value: (i) => r.used[i] },
        {
          key: "utilization",
          title: "Utilization",
          numeric: true,
          value: (i) => (head.total ? (100 * r.used[i]) / head.total : 0),
          text: (i) => percent(r.used[i], head.total),
          meter: (i) => (head.total ? r.used[i] / head.total : 0),
        },
        ...trafficColumns(r),
      ],
    }),
  ];
}

let timeline = null;
function timelineSection() {
  timeline = new Timeline((i) => select({ htp: i }, false));
  return [
    element("p", {}, "Drag to move, Ctrl and wheel to zoom, double click to zoom in; W A S D when it has the focus."),
    timeline.root,
  ];
}

function opTypesSection() {
  const t = run.opTypes;
  return table("qnn-op-types", {
    caption: "QNN op types",
    count: t.type.length,
    sort: { key: "cycles", down: true },
    onChoose: (i) => {
      openSection("qnn-ops");
      tables.get("qnn-ops").setFilter("type", `=${t.type[i]}`);
    },
    columns: [
      { key: "type", title: "QNN op type", value: (i) => t.type[i], swatch: (i) => typeColour.get(t.type[i]) },
      { key: "instances", title: "Ops", numeric: true, pie: true, value: (i) => t.instances[i] },
      ...costColumns(t),
    ],
  });
}

function opsSection() {
  const t = run.ops;
  return table("qnn-ops", {
    caption: "QNN ops",
    count: opCount,
    onChoose: (i) => select({ op: i }),
    columns: [
      { key: "name", title: "QNN op", value: (i) => t.name[i], swatch: opColour },
      { key: "type", title: "Type", value: (i) => t.type[i] },
      { key: "framework", title: "Framework node", value: (i) => t.framework[i].join(", ") },
      ...costColumns(t),
      { key: "units", title: "Units", value: (i) => t.units[i] },
      { key: "bound", title: "Bound by", value: (i) => t.bound[i] },
      { key: "tiles", title: "Tiles", numeric: true, pie: true, value: (i) => t.tiles[i] },
      { key: "tile", title: "Largest tile", value: (i) => t.tile[i] },
      { key: "shape", title: "Output", value: (i) => t.shape[i] },
      { key: "dtype", title: "Data type", value: (i) => t.dtype[i] },
    ],
  });
}

function htpTypesSection() {
  const t = run.htpTypes;
  return table("htp-op-types", {
    caption: "HTP op types",
    count: t.name.length,
    sort: { key: "dominant", down: true },
    onChoose: (i) => {
      openSection("htp-ops");
      tables.get("htp-ops").setFilter("type", `=${t.name[i]}`);
    },
    columns: [
      { key: "name", title: "HTP op type", value: (i) => t.name[i] },
      ...costColumns(t),
      { key: "ref", title: "Reference op", value: (i) => (t.ref[i] ? "yes" : "no") },
    ],
  });
}

function htpTraffic(i) {
  return { dr: dramRead(i), dw: dramWritten(i), vr: run.htp.vr[i], vw: run.htp.vw[i] };
}
function htpSection() {
  const h = run.htp;
  const size = (key, title) => ({
    key,
    title,
    numeric: true,
    pie: true,
    value: (i) => htpTraffic(i)[key],
    text: (i) => bytes(htpTraffic(i)[key]),
  });
  return table("htp-ops", {
    caption: "HTP ops",
    count: htpCount,
    onChoose: (i) => select({ htp: i }),
    columns: [
      { key: "id", title: "Id", value: (i) => hex(h.id[i]) },
      { key: "type", title: "HTP op", value: (i) => run.htpTypes.name[h.type[i]], swatch: htpColour },
      { key: "op", title: "QNN op", value: (i) => run.ops.name[h.op[i]] },
      { key: "unit", title: "Unit", value: unitsOf },
      { key: "tensor", title: "Tensor", value: (i) => run.tensors.name[h.tensor[i]] },
      { key: "dims", title: "Dims", value: (i) => h.dims[i] },
      { key: "start", title: "Start", numeric: true, value: (i) => h.start[i] },
      { key: "cycles", title: "Cycles", numeric: true, pie: true, value: (i) => h.cycles[i] },
      { key: "dominant", title: "Dominant path", numeric: true, pie: true, value: (i) => h.dom[i] },
      { key: "bound", title: "Bound by", value: (i) => run.bounds[h.bound[i]] },
      size("dr", "DRAM read"),
      size("dw", "DRAM write"),
      size("vr", "VTCM read"),
      size("vw", "VTCM write"),
    ],
  });
}

function pathSection() {
  const p = run.path,
    h = run.htp;
  return [
    element(
      "p",
      {},
      "The most important HTP op of each moment: HMX, then HVX, then DMA reads, then DMA writes, then checkpoints, then sync. " +
        "Scalar ops stand behind HVX (ours). This run has no checkpoints and no sync ops.",
    ),
    table("dominant-path", {
      caption: "Dominant path",
      count: p.htp.length,
      label: "op",
      onChoose: (i) => select({ htp: p.htp[i] }),
      columns: [
        { key: "start", title: "Start", numeric: true, value: (i) => p.start[i] },
        { key: "cycles", title: "Cycles", numeric: true, pie: true, value: (i) => p.cycles[i] },
        {
          key: "share",
          title: "% of timeline",
          numeric: true,
          value: (i) => (head.total ? (100 * p.cycles[i]) / head.total : 0),
          text: (i) => percent(p.cycles[i], head.total),
          meter: (i) => (head.total ? p.cycles[i] / head.total : 0),
        },
        { key: "type", title: "HTP op", value: (i) => run.htpTypes.name[h.type[p.htp[i]]], swatch: (i) => htpColour(p.htp[i]) },
        { key: "op", title: "QNN op", value: (i) => run.ops.name[h.op[p.htp[i]]] },
        { key: "unit", title: "Unit", value: (i) => unitsOf(p.htp[i]) },
        { key: "id", title: "Id", value: (i) => hex(h.id[p.htp[i]]) },
      ],
    }),
  ];
}

function servicesSection() {
  const s = run.services;
  return [
    element("p", {}, "HTP ops that belong to no operation of the network."),
    table("system-services", {
      caption: "System services",
      count: s.name.length,
      columns: [
        { key: "name", title: "Service", value: (i) => s.name[i] },
        { key: "n", title: "Ops", numeric: true, pie: true, value: (i) => s.n[i] },
        { key: "dma", title: "Cycles", numeric: true, pie: true, value: (i) => s.cycles[i] + s.dma[i] },
        { key: "dominant", title: "Dominant path", numeric: true, pie: true, value: (i) => s.dom[i] },
        ...trafficColumns(s),
        { key: "meaning", title: "Meaning", value: (i) => s.meaning[i] },
        { key: "why", title: "Unavailable, because", value: (i) => s.unavailable[i] },
      ],
    }),
  ];
}

function memorySection() {
  const v = run.vtcm,
    most = Math.max(head.vtcm_bytes, head.vtcm_peak, 1);
  return [
    facts([
      ["VTCM granted", bytes(head.vtcm_bytes)],
      ["VTCM peak", `${bytes(head.vtcm_peak)}, ${percent(head.vtcm_peak, head.vtcm_bytes)} of it`],
      ["DDR to VTCM", bytes(sum(run.resources.dr))],
      ["VTCM to DDR", bytes(sum(run.resources.dw))],
      [
        "Shown",
        v.points > v.at.length
          ? `the highest of each of ${integer(v.at.length)} stretches; the JSON has all ${integer(v.points)} changes`
          : "",
      ],
    ]),
    element("br"),
    table("memory", {
      caption: "VTCM in use, from each cycle on",
      count: v.at.length,
      columns: [
        { key: "at", title: "Cycle", numeric: true, value: (i) => v.at[i] },
        {
          key: "bytes",
          title: "VTCM in use",
          numeric: true,
          value: (i) => v.bytes[i],
          text: (i) => bytes(v.bytes[i]),
          meter: (i) => v.bytes[i] / most,
        },
        {
          key: "share",
          title: "% of VTCM",
          numeric: true,
          value: (i) => (100 * v.bytes[i]) / most,
          text: (i) => percent(v.bytes[i], head.vtcm_bytes),
        },
      ],
    }),
  ];
}

function reasons(match) {
  return element(
    "ul",
    {},
    ...head.unavailable
      .filter(([what]) => match(what))
      .map(([what, why]) => element("li", {}, element("b", {}, what), `: unavailable, because ${why}`)),
  );
}
function powerSection() {
  const known = [
    ["Clock", head.clock_hz ? `${Math.round(head.clock_hz / 1e6)} MHz` : "none"],
    ["Vote", head.vote],
  ];
  if (head.perf_profile) known.push(["Perf profile", head.perf_profile]);
  if (head.power_up_us) known.push(["Waking and powering units up", `${micros(head.power_up_us)} of the call`]);
  if (run.votes.left_out) known.push(["Not shown", `${integer(run.votes.left_out)} more steps; openqnn power shows all`]);
  return [facts(known), run.votes.at.length ? votesTable() : "", reasons(() => true)];
}
function votesTable() {
  const v = run.votes;
  const words = (key, title) => ({ key, title, value: (i) => v[key][i] });
  return table("votes", {
    caption: "What the votes of the run did",
    count: v.at.length,
    columns: [
      { key: "at", title: "At µs", numeric: true, value: (i) => v.at[i], text: (i) => v.at[i].toFixed(1) },
      {
        key: "lasts",
        title: "For µs",
        numeric: true,
        value: (i) => v.lasts[i],
        text: (i) => (v.permille[i] ? v.lasts[i].toFixed(1) : ""),
      },
      words("what", "What"),
      { ...words("core", "Core"), meter: (i) => v.permille[i] / 1000 },
      words("hmx", "HMX"),
      words("bus", "Bus"),
      words("details", "Also voted"),
    ],
  });
}
function yieldsSection() {
  const y = run.yields,
    count = y.start.length;
  const cycles = (key, title, of) => ({ key, title, numeric: true, value: of });
  return [
    facts([
      ["Waited for VTCM before the first cycle", `${integer(y.acquire)} cycles`],
      ["Given to clients of higher priority", count ? `${integer(count)} times` : "never: nobody asked for the device"],
    ]),
    element("br"),
    count
      ? table("yields", {
          caption: "Each time the device was given away and taken back",
          count,
          columns: [
            cycles("start", "Cycle", (i) => y.start[i]),
            cycles("save", "Save", (i) => y.save[i]),
            cycles("wait", "Re-acquire", (i) => y.wait[i]),
            cycles("restore", "Restore", (i) => y.restore[i]),
            {
              key: "bytes",
              title: "VTCM saved",
              numeric: true,
              value: (i) => y.bytes[i],
              text: (i) => bytes(y.bytes[i]),
            },
          ],
        })
      : "",
  ];
}

main.append(
  element(
    "div",
    { class: "notice", role: "note" },
    element("b", {}, "Simulated."),
    " These numbers come from a model of the NPU, not from a device; the model's name and error band stand below.",
  ),
);
section("overall", "HTP Overall Summary", head.graph, overallSection, true);
section("timeline", "Timeline", `${integer(htpCount)} HTP ops`, timelineSection, true);
section("qnn-op-types", "QNN Op Types", `${run.opTypes.type.length} types`, opTypesSection, true);
section("qnn-ops", "QNN Ops", `${integer(opCount)} ops`, opsSection);
section("htp-op-types", "HTP Op Types", `${run.htpTypes.name.length} types`, htpTypesSection);
section("htp-ops", "HTP Ops", `${integer(htpCount)} ops`, htpSection);
section("dominant-path", "Dominant Path", `${integer(run.path.htp.length)} steps`, pathSection);
section("system-services", "System Services", "", servicesSection);
section("memory", "Memory", `VTCM peak ${bytes(head.vtcm_peak)}`, memorySection);
section("power", "Power and Votes", head.perf_profile, powerSection);
section("yields", "Yields", run.yields.start.length ? `${integer(run.yields.start.length)}` : "none", yieldsSection);
