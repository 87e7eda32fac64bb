// ---- Tables: sorted, filtered, charted, copied; only the rows in sight exist.

const kRowHeight = 28;
const kSpare = 12; // rows above and below those in sight

// "12", ">=3", "<4", "10..20": a test of a number; null when the text is none of these.
function numberTest(text) {
  const range = text.match(/^\s*(-?[\d.]+)\s*\.\.\s*(-?[\d.]+)\s*$/);
  if (range) return (v) => v >= +range[1] && v <= +range[2];
  const bound = text.match(/^\s*(>=|<=|>|<|=)\s*(-?[\d.]+)\s*$/);
  if (!bound) return null;
  const limit = +bound[2];
  return {
    ">=": (v) => v >= limit,
    "<=": (v) => v <= limit,
    ">": (v) => v > limit,
    "<": (v) => v < limit,
    "=": (v) => v === limit,
  }[bound[1]];
}

function csvField(text) {
  // A spreadsheet would run a text that begins like a formula.
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?[\d.]+$/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

// Columns: {key, title, value(row), text(row)?, numeric?, meter?(row) → 0..1, swatch?(row), pie?, help?}
class DataTable {
  constructor({ id, caption, columns, count, onChoose, label, sort }) {
    Object.assign(this, { id, caption, columns, count, onChoose });
    this.label = label ?? columns[0].key; // what a slice of a chart is called
    this.filters = new Map();
    this.sorted = sort ?? null; // {key, down}
    this.chosen = -1;
    this.active = -1;
    this.first = -1;
    this.build();
    this.update();
  }

  column(key) {
    return this.columns.find((one) => one.key === key);
  }

  build() {
    this.counter = element("span", { class: "count", role: "status" });
    this.pie = element("div", { hidden: true });
    this.body = element("tbody");
    this.heads = new Map();
    const titles = element("tr"),
      inputs = element("tr");
    for (const column of this.columns) {
      const sortButton = element(
        "button",
        { type: "button", title: column.help ?? `Sort by ${column.title}`, onclick: () => this.sortBy(column.key) },
        column.title,
      );
      const th = element("th", { scope: "col", class: column.numeric ? "n" : "", "data-key": column.key }, sortButton);
      if (column.pie) {
        th.append(
          element(
            "button",
            {
              type: "button",
              class: "chart",
              "aria-label": `Chart of ${column.title}`,
              title: `Chart of ${column.title}`,
              onclick: () => this.togglePie(column.key),
            },
            "◔",
          ),
        );
      }
      this.heads.set(column.key, th);
      titles.append(th);
      const input = element("input", {
        type: "text",
        "aria-label": `Filter ${column.title}`,
        placeholder: column.numeric ? ">100" : "filter",
        title: column.numeric ? ">100, <=5, 10..20" : "part of the text, or = and all of it",
        spellcheck: "false",
        "data-filter": column.key,
      });
      input.addEventListener("input", () => this.setFilter(column.key, input.value, false));
      inputs.append(element("th", {}, input));
    }
    this.table = element(
      "table",
      { "aria-rowcount": this.count + 2 },
      element("caption", {}, this.caption),
      element("thead", {}, titles, inputs),
      this.body,
    );
    this.scroller = element(
      "div",
      { class: "grid", tabindex: "0", role: "region", "aria-label": `${this.caption}: arrows move, Enter opens` },
      this.table,
    );
    this.scroller.addEventListener("scroll", () => this.draw(), { passive: true });
    this.scroller.addEventListener("keydown", (event) => this.key(event));
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest("tr.data");
      if (row) this.choose(+row.dataset.row);
    });
    this.root = element(
      "div",
      { "data-table": this.id },
      element(
        "div",
        { class: "bar" },
        this.counter,
        element("button", { type: "button", onclick: () => this.clear() }, "Clear filters"),
        element("button", { type: "button", onclick: () => copy(this.csv(), `${this.rows.length} rows`) }, "Copy CSV"),
      ),
      this.pie,
      this.scroller,
    );
    new ResizeObserver(() => this.draw(true)).observe(this.scroller);
  }

  // ---- What is shown

  text(column, row) {
    return column.text ? column.text(row) : column.numeric ? integer(column.value(row)) : String(column.value(row));
  }

  accepts(column, wanted) {
    const test = column.numeric ? numberTest(wanted) : null;
    if (test) return (row) => test(column.value(row));
    if (wanted.startsWith("=")) return (row) => this.text(column, row).trim() === wanted.slice(1).trim();
    const words = wanted.toLowerCase();
    return (row) => this.text(column, row).toLowerCase().includes(words);
  }

  update() {
    const tests = [...this.filters].map(([key, wanted]) => this.accepts(this.column(key), wanted));
    const rows = [];
    for (let i = 0; i < this.count; i++) if (tests.every((test) => test(i))) rows.push(i);
    if (this.sorted) {
      const column = this.column(this.sorted.key),
        sign = this.sorted.down ? -1 : 1;
      const values = Array.from({ length: this.count }, (_, i) => column.value(i));
      rows.sort((a, b) => (values[a] < values[b] ? -sign : values[a] > values[b] ? sign : a - b));
    }
    this.rows = rows;
    this.active = Math.min(this.active, rows.length - 1);
    this.counter.textContent =
      rows.length === this.count ? `${integer(this.count)} rows` : `${integer(rows.length)} of ${integer(this.count)} rows`;
    for (const [key, th] of this.heads) {
      const here = this.sorted?.key === key;
      th.setAttribute("aria-sort", here ? (this.sorted.down ? "descending" : "ascending") : "none");
      th.firstChild.textContent = this.column(key).title + (here ? (this.sorted.down ? " ▾" : " ▴") : "");
    }
    this.table.setAttribute("aria-rowcount", rows.length + 2);
    this.drawPie();
    this.draw(true);
  }

  draw(always = false) {
    const { scrollTop, clientHeight } = this.scroller;
    const first = Math.max(0, Math.floor(scrollTop / kRowHeight) - kSpare);
    const last = Math.min(this.rows.length, first + Math.ceil(clientHeight / kRowHeight) + 2 * kSpare);
    if (!always && first === this.first && last === this.last) return;
    this.first = first;
    this.last = last;
    const pad = (rows) =>
      element(
        "tr",
        { class: "pad", "aria-hidden": "true" },
        element("td", { colspan: this.columns.length, style: `height:${rows * kRowHeight}px` }),
      );
    const out = [pad(first)];
    for (let place = first; place < last; place++) out.push(this.rowElement(place));
    out.push(pad(this.rows.length - last));
    this.body.replaceChildren(...out);
  }

  rowElement(place) {
    const row = this.rows[place];
    const classes = ["data", row === this.chosen ? "chosen" : "", place === this.active ? "active" : ""].join(" ");
    const made = element("tr", {
      class: classes,
      "data-row": row,
      "aria-rowindex": place + 3,
      "aria-selected": row === this.chosen ? "true" : "false",
    });
    for (const column of this.columns) {
      const text = this.text(column, row);
      const cell = element("td", {
        class: (column.numeric ? "n" : "") + (column.meter ? " meter" : ""),
        title: text.length > 40 ? text : null,
      });
      if (column.meter) cell.style.setProperty("--part", `${Math.min(100, 100 * column.meter(row)).toFixed(1)}%`);
      if (column.swatch) {
        const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
        swatch.style.background = column.swatch(row);
        cell.append(swatch);
      }
      cell.append(text);
      made.append(cell);
    }
    return made;
  }

  // ---- What people do

  sortBy(key) {
    const down = this.column(key).numeric ?? false;
    if (this.sorted?.key !== key) this.sorted = { key, down };
    else if (this.sorted.down === down) this.sorted = { key, down: !down };
    else this.sorted = null;
    this.update();
  }

  setFilter(key, text, show = true) {
    if (text.trim()) this.filters.set(key, text.trim());
    else this.filters.delete(key);
    if (show) this.root.querySelector(`[data-filter="${key}"]`).value = text;
    this.scroller.scrollTop = 0;
    this.update();
  }

  clear() {
    this.filters.clear();
    for (const input of this.root.querySelectorAll("[data-filter]")) input.value = "";
    this.update();
  }

  choose(row) {
    this.chosen = row;
    this.active = this.rows.indexOf(row);
    this.draw(true);
    this.onChoose?.(row);
  }

  // Brings a row into sight without telling anybody; filters that hide it go.
  show(row) {
    if (!this.rows.includes(row)) this.clear();
    this.chosen = row;
    this.active = this.rows.indexOf(row);
    this.scroller.scrollTop = Math.max(0, this.active * kRowHeight - this.scroller.clientHeight / 2);
    this.draw(true);
  }

  key(event) {
    if (event.target !== this.scroller) return;
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / kRowHeight) - 3);
    const last = this.rows.length - 1;
    const to = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      PageDown: this.active + page,
      PageUp: this.active - page,
      Home: 0,
      End: last,
    }[event.key];
    if (event.key === "Enter" && this.active >= 0) this.choose(this.rows[this.active]);
    else if (to !== undefined) {
      this.active = Math.max(0, Math.min(last, to));
      const top = this.active * kRowHeight,
        space = this.scroller.clientHeight - 3 * kRowHeight;
      if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
      else if (top > this.scroller.scrollTop + space) this.scroller.scrollTop = top - space;
      this.draw(true);
    } else return;
    event.preventDefault();
  }

  togglePie(key) {
    this.pieOf = this.pieOf === key ? null : key;
    this.drawPie();
  }

  drawPie() {
    this.pie.hidden = !this.pieOf;
    if (!this.pieOf) return;
    const column = this.column(this.pieOf),
      label = this.column(this.label);
    const colour = label.swatch ?? ((row) => palette[row % palette.length]);
    const slices = this.rows.map((row) => ({
      label: this.text(label, row),
      value: column.value(row),
      text: this.text(column, row),
      colour: colour(row),
    }));
    this.pie.replaceChildren(donut(slices, `${column.title} by ${label.title}`, (name) => this.setFilter(this.label, `=${name}`)));
  }

  csv() {
    const lines = [this.columns.map((column) => csvField(column.title)).join(",")];
    for (const row of this.rows) lines.push(this.columns.map((column) => csvField(String(column.value(row)))).join(","));
    return lines.join("\n") + "\n";
  }
}
