// ---- The selected op: shown beside the page, and in its address.

const detail = document.getElementById("detail");
function addressOf({ op, htp }) {
  return htp !== undefined ? `#htp=${hex(run.htp.id[htp])}` : `#op=${encodeURIComponent(run.ops.name[op])}`;
}

// A page that is part of another document, as in a notebook, has no address of its own.
const hasAddress = location.protocol !== "about:";
function setAddress(address) {
  if (hasAddress) history.replaceState(null, "", address);
}

function select(what, zoom = true) {
  const op = what.op ?? run.htp.op[what.htp];
  const address = addressOf(what);
  if (location.hash !== address) setAddress(address);
  showDetail(what, op);
  timeline?.show(what.htp !== undefined ? [what.htp] : htpOfOp(op), zoom);
}

function showDetail(what, op) {
  const close = element("button", { type: "button", "aria-label": "Close (Esc)", onclick: unselect }, "×");
  const isHtp = what.htp !== undefined;
  const title = isHtp ? `${run.htpTypes.name[run.htp.type[what.htp]]} ${hex(run.htp.id[what.htp])}` : run.ops.name[op];
  const go = (name) => {
    const i = opOfName(name);
    if (i !== undefined) select({ op: i });
  };
  const link = (text, action) => element("button", { type: "button", onclick: action }, text);
  detail.replaceChildren(
    element("header", {}, element("h2", {}, title), close),
    element("p", {}, isHtp ? `for ${run.ops.name[op]}` : run.ops.type[op]),
    facts(isHtp ? htpFacts(what.htp) : opFacts(op)),
    element(
      "div",
      { class: "bar" },
      isHtp
        ? link("Its QNN op", () => go(run.ops.name[op]))
        : link("Its HTP ops", () => {
            openSection("htp-ops");
            tables.get("htp-ops").setFilter("op", `=${run.ops.name[op]}`);
          }),
      link("In the table", () => {
        const id = isHtp ? "htp-ops" : "qnn-ops";
        openSection(id);
        tables.get(id).show(isHtp ? what.htp : op);
      }),
      link("On the timeline", () => {
        openSection("timeline");
        timeline.show(isHtp ? [what.htp] : htpOfOp(op));
      }),
      hasAddress ? link("Copy link", () => copy(location.href.split("#")[0] + addressOf(what), "Link")) : null,
    ),
  );
  detail.hidden = false;
}

function opFacts(op) {
  const t = run.ops;
  return [
    ["Framework node", t.framework[op].join(", ") || "not known: the model's file was not at hand"],
    ["QNN nodes", t.nodes[op].length > 1 ? t.nodes[op].join(", ") : ""],
    ["Units", t.units[op]],
    ["Cycles", `${integer(t.cycles[op])} of computing units, ${integer(t.dma[op])} of DMA`],
    ["Dominant path", `${integer(t.dom[op])} cycles, ${percent(t.dom[op], head.total)} of the timeline`],
    ["Bound by", t.bound[op]],
    ["Output", `${t.shape[op]} ${t.dtype[op]}`],
    ["Tiles", `${integer(t.tiles[op])}${t.tile[op] ? `, largest ${t.tile[op]}` : ""}`],
    ["DRAM", `${bytes(t.dr[op])} read, ${bytes(t.dw[op])} written`],
    ["VTCM", `${bytes(t.vr[op])} read, ${bytes(t.vw[op])} written`],
  ];
}
function htpFacts(i) {
  const h = run.htp,
    t = htpTraffic(i);
  const inputs = element(
    "span",
    {},
    ...inputsOf(i)
      .slice(0, 12)
      .map((id) =>
        element(
          "button",
          {
            type: "button",
            onclick: () => {
              const at = htpOfId(id);
              if (at !== undefined) select({ htp: at });
            },
          },
          hex(id),
        ),
      ),
  );
  return [
    ["Unit", unitsOf(i)],
    ["Tensor", `${run.tensors.name[h.tensor[i]]} ${h.dims[i]} ${run.tensors.dtype[h.tensor[i]]}`],
    ["Start", `cycle ${integer(h.start[i])}`],
    ["Cycles", `${integer(h.cycles[i])} ${cyclesTime(h.cycles[i])} (simulated)`],
    ["Dominant path", `${integer(h.dom[i])} cycles`],
    ["Bound by", run.bounds[h.bound[i]]],
    ["DRAM", t.dr || t.dw ? `${bytes(t.dr)} read, ${bytes(t.dw)} written` : ""],
    ["VTCM", `${bytes(t.vr)} read, ${bytes(t.vw)} written`],
    ["Data from", h.inputs[i] ? inputs : "DDR"],
  ];
}

function unselect() {
  detail.hidden = true;
  timeline?.show([], false);
  setAddress(location.pathname + location.search);
}

function followAddress() {
  const [key, value] = location.hash.slice(1).split(/=(.*)/s);
  if (sections.has(key)) return openSection(key);
  let name = value ?? "";
  try {
    name = decodeURIComponent(name);
  } catch {
    return;
  }
  if (key === "op" && opOfName(name) !== undefined) {
    select({ op: opOfName(name) });
    tableOf("qnn-ops").show(opOfName(name));
  } else if (key === "htp" && htpOfId(parseInt(name, 16)) !== undefined) {
    select({ htp: htpOfId(parseInt(name, 16)) });
  } else if (key === "op" || key === "htp") toast(`There is no op ${name} in this run`);
}
addEventListener("hashchange", followAddress);

// ---- Search

const search = document.getElementById("search"),
  hits = document.getElementById("hits");
let found = [],
  picked = 0;
function lookUp() {
  const wanted = search.value.trim().toLowerCase();
  found = [];
  for (let i = 0; wanted && i < opCount && found.length < 50; i++) {
    if (
      run.ops.name[i].toLowerCase().includes(wanted) ||
      run.ops.framework[i].some((name) => name.toLowerCase().includes(wanted))
    )
      found.push(i);
  }
  picked = 0;
  showHits();
}
function showHits() {
  hits.replaceChildren(
    ...found.map((op, place) =>
      element(
        "li",
        {
          role: "option",
          id: `hit-${place}`,
          "aria-selected": place === picked ? "true" : "false",
          onpointerdown: (event) => {
            event.preventDefault();
            pick(op);
          },
        },
        element("span", {}, run.ops.name[op]),
        element("small", {}, [run.ops.type[op], ...run.ops.framework[op]].join(" · ")),
      ),
    ),
  );
  if (search.value.trim() && !found.length) hits.append(element("li", {}, "No op of this name"));
  hits.hidden = !search.value.trim();
  search.setAttribute("aria-expanded", String(!hits.hidden));
  if (found.length) search.setAttribute("aria-activedescendant", `hit-${picked}`);
  else search.removeAttribute("aria-activedescendant");
  hits.children[picked]?.scrollIntoView({ block: "nearest" });
}
function pick(op) {
  hits.hidden = true;
  search.setAttribute("aria-expanded", "false");
  select({ op });
}
search.addEventListener("input", lookUp);
search.addEventListener("focus", lookUp);
search.addEventListener("blur", () => {
  hits.hidden = true;
});
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && found.length) pick(found[picked]);
  else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    picked = Math.max(0, Math.min(found.length - 1, picked + (event.key === "ArrowDown" ? 1 : -1)));
    showHits();
    event.preventDefault();
  } else if (event.key === "Escape") search.blur();
  event.stopPropagation();
});

// ---- Light and dark; a page that was opened from a disk may not keep anything.

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  timeline?.redraw();
}
function storedTheme() {
  try {
    return localStorage.getItem("openqnn-theme");
  } catch {
    return null;
  }
}
setTheme(storedTheme() ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
function switchTheme() {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  setTheme(next);
  try {
    localStorage.setItem("openqnn-theme", next);
  } catch {
    /* it lasts as long as the page */
  }
}
document.getElementById("theme").addEventListener("click", switchTheme);

// ---- Keys

const help = document.getElementById("help");
help.append(
  element("h2", {}, "Keyboard"),
  facts([
    ["/", "search"],
    ["t", "light or dark"],
    ["Esc", "close"],
    ["?", "this list"],
    ["Tables", "arrows, Page Up and Down, Home, End move; Enter opens the row"],
    ["Timeline", "W S zoom, A D or arrows move, Home shows all"],
    ["Filters", "part of a text; of a number also >100, <=5, 10..20"],
  ]),
  element("form", { method: "dialog" }, element("button", {}, "Close")),
);
document.getElementById("keys").addEventListener("click", () => help.showModal());
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !detail.hidden) return unselect();
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    search.focus();
    event.preventDefault();
  } else if (event.key === "t") switchTheme();
  else if (event.key === "?") help.showModal();
});

document.getElementById("subtitle").textContent =
  `Model: ${head.model_id} · ${head.soc || "part not named"} (v${head.arch}) · ${micros(head.accelerator_us)} simulated · openqnn`;
if (location.hash) followAddress();
document.documentElement.dataset.ready = String(Math.round(performance.now()));
