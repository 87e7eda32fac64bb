// ---- The run: columns of numbers and names, as the report's writer left them.

const run = JSON.parse(document.getElementById("data").textContent);
const head = run.head;

// How columns are kept short: differences, texts by their place in a list, names by what they share with the one before.
function summed(differences) {
  const out = new Float64Array(differences.length);
  let sum = 0;
  for (let i = 0; i < differences.length; i++) out[i] = sum += differences[i];
  return out;
}
const chosen = ({ at, texts }) => at.map((place) => texts[place]);
function spelled(parts) {
  const out = [];
  let last = "";
  for (let i = 0; i < parts.length; i += 2) out.push((last = last.slice(0, parts[i]) + parts[i + 1]));
  return out;
}
function lists({ count, names }) {
  const all = spelled(names);
  let at = 0;
  return count.map((n) => all.slice(at, (at += n)));
}

for (const key of ["type", "units", "dtype", "shape", "tile", "bound"]) run.ops[key] = chosen(run.ops[key]);
for (const key of ["nodes", "framework"]) run.ops[key] = lists(run.ops[key]);
run.ops.name = spelled(run.ops.name);
run.tensors.name = spelled(run.tensors.name);
run.tensors.dtype = chosen(run.tensors.dtype);
for (const key of ["id", "op", "tensor", "start"]) run.htp[key] = summed(run.htp[key]);
run.htp.dims = chosen(run.htp.dims);
const places = run.htp.on.texts.map((text) => text.split(" ").map(Number));
run.htp.res = run.htp.on.at.map((place) => places[place][0]);
run.htp.units = run.htp.on.at.map((place) => places[place][1]);
run.htp.dom = run.htp.cycles.map((cycles, i) => cycles - run.htp.hidden[i]);
run.path.htp = summed(run.path.htp);
run.vtcm.at = summed(run.vtcm.at);

const htpCount = run.htp.id.length;
const opCount = run.ops.name.length;
const isLoad = run.htpTypes.name.map((name) => name === "q::DramToTcm");
const isStore = run.htpTypes.name.map((name) => name === "q::TcmToDram");

// The path's steps follow each other, but for gaps in which nothing runs.
run.path.start = run.path.gap;
for (let i = 0, end = 0; i < run.path.start.length; i++) {
  run.path.start[i] += end;
  end = run.path.start[i] + run.path.cycles[i];
}

// DRAM's side of a transfer: VTCM's bytes, less what compression and the system-level cache save.
const dramRead = (i) => (isLoad[run.htp.type[i]] ? run.htp.vw[i] - run.htp.saved[i] : 0);
const dramWritten = (i) => (isStore[run.htp.type[i]] ? run.htp.vr[i] - run.htp.saved[i] : 0);

// What an op cost is what its HTP ops cost.
for (const key of ["cycles", "dma", "dom", "n", "dr", "dw", "vr", "vw"]) run.ops[key] = new Float64Array(opCount);
for (let i = 0; i < htpCount; i++) {
  const op = run.htp.op[i],
    type = run.htp.type[i];
  const moves = isLoad[type] || isStore[type];
  run.ops[moves ? "dma" : "cycles"][op] += run.htp.cycles[i];
  run.ops.dom[op] += run.htp.dom[i];
  run.ops.n[op]++;
  run.ops.vr[op] += run.htp.vr[i];
  run.ops.vw[op] += run.htp.vw[i];
  run.ops.dr[op] += dramRead(i);
  run.ops.dw[op] += dramWritten(i);
}

// Where the data of an HTP op comes from: the ids of other HTP ops.
const inputEnds = summed(run.htp.inputs);
function inputsOf(i) {
  const out = [];
  for (let k = i ? inputEnds[i - 1] : 0; k < inputEnds[i]; k++) out.push(run.htp.id[i] - run.htp.before[k]);
  return out;
}
// The units that an HTP op occupies: "HMX", "HVX 0–3".
function unitsOf(i) {
  const first = run.resources.name[run.htp.res[i]];
  if (run.htp.units[i] === 1) return first;
  const last = run.resources.name[run.htp.res[i] + run.htp.units[i] - 1];
  return `${first}–${last.slice(last.lastIndexOf(" ") + 1)}`;
}
let htpById = null;
function htpOfId(id) {
  htpById ??= new Map(Array.from(run.htp.id, (one, i) => [one, i]));
  return htpById.get(id);
}
let opByName = null;
function opOfName(name) {
  opByName ??= new Map(run.ops.name.map((one, i) => [one, i]));
  return opByName.get(name);
}
let htpByOp = null;
function htpOfOp(op) {
  if (!htpByOp) {
    htpByOp = Array.from({ length: opCount }, () => []);
    for (let i = 0; i < htpCount; i++) htpByOp[run.htp.op[i]].push(i);
  }
  return htpByOp[op];
}

// ---- Numbers for people, the same in every locale.

function integer(value) {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, " ");
}
function bytes(value) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit && value < 100 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
function percent(part, whole) {
  return `${(whole ? (100 * part) / whole : 0).toFixed(1)} %`;
}
function micros(value) {
  return value >= 1000 ? `${(value / 1000).toFixed(2)} ms` : `${value.toFixed(1)} µs`;
}
function cyclesTime(cycles) {
  return head.clock_hz ? micros((cycles * 1e6) / head.clock_hz) : "";
}
const hex = (id) => `0x${id.toString(16)}`;

// ---- One colour per op type, the same in charts and on the timeline.

const palette = [
  "#4c78d8",
  "#2aa198",
  "#e0a020",
  "#c2477f",
  "#7a5cd0",
  "#59a14f",
  "#e0703a",
  "#3fa7d6",
  "#a0764a",
  "#d05c5c",
  "#8a9a2b",
  "#b07cc6",
];
const typeColour = new Map(run.opTypes.type.map((type, i) => [type, palette[i % palette.length]]));
const opColour = (op) => typeColour.get(run.ops.type[op]) ?? "#888";
const loadColour = "#7f8c9b",
  storeColour = "#b0a48f";
function htpColour(i) {
  const type = run.htp.type[i];
  return isLoad[type] ? loadColour : isStore[type] ? storeColour : opColour(run.htp.op[i]);
}

// ---- Elements. Texts from the model only ever become text nodes.

function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "class") made.className = value;
    else if (value === false || value == null) continue;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}
function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
function facts(pairs) {
  return element(
    "dl",
    { class: "facts" },
    ...pairs
      .filter(([, value]) => value !== "" && value != null)
      .flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
  );
}

let toastTimer = 0;
function toast(text) {
  const place = document.getElementById("toast");
  place.textContent = text;
  place.classList.add("on");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => place.classList.remove("on"), 2500);
}
// The clipboard is not offered to every page that is opened from a disk.
async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element("textarea", { style: "position:fixed;opacity:0" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (!done) return toast("The browser does not allow copying here");
  }
  toast(`${what} copied`);
}
