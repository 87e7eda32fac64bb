// SPDX-License-Identifier: BSD-3-Clause
// feature: D6 (report)
// The page of a run in a real browser: node browser_test.mjs PAGES_FOLDER NPM_FOLDER
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { accessibilityScript, launch, runAll } from "./browser.mjs";

const [pages, npm] = process.argv.slice(2).map((folder) => resolve(folder));
const kLargestPage = 15e6;
const kInteractive = 6000; // ms, for 100 000 ops; 2000 on an idle machine, which other tests may not leave us

const browser = await launch(npm);

// A new page each; whatever it says on the console, asks of the network or throws is a failure.
async function open(name, address = "", { isDiff, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1400, height: 1000 },
    permissions: ["clipboard-read", "clipboard-write"],
    ...options,
  });
  const page = await context.newPage();
  page.troubles = [];
  page.on("console", (message) => page.troubles.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => page.troubles.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) page.troubles.push(`asks for ${request.url()}`);
  });
  await page.goto(pathToFileURL(`${pages}/${name}.html`).href + address);
  if (!isDiff) await page.waitForFunction(() => document.documentElement.dataset.ready);
  return page;
}
const rowsOf = (page, table, column) =>
  page.$$eval(`[data-table="${table}"] tr.data`, (rows, place) => rows.map((row) => row.cells[place].textContent), column);
const openSection = (page, id) => page.click(`nav a[href="#${id}"]`);
const filter = (page, table, column, text) => page.fill(`[data-table="${table}"] [data-filter="${column}"]`, text);

const tests = {
  async "the first look: cards, timeline, op types, and that it is simulated"() {
    const page = await open("small");
    const text = await page.innerText("main");
    for (const wanted of ["Simulated.", "±50\u00a0%", "event model", "HTP Overall Summary", "2 150", "HVX 1", "of that RPC with accelerator"])
      assert.ok(text.includes(wanted), wanted);
    for (const id of [
      "overall",
      "timeline",
      "qnn-op-types",
      "qnn-ops",
      "htp-op-types",
      "htp-ops",
      "dominant-path",
      "system-services",
      "memory",
      "power",
      "yields",
    ]) {
      await openSection(page, id);
      assert.ok(await page.locator(`#${id} .body`).isVisible(), id);
    }
    assert.match(await page.innerText("#yields"), /nobody asked for the device/);
    return page;
  },

  async "on a narrow screen the title, what is shown and the search stand beside one another"() {
    const page = await open("small", "", { viewport: { width: 420, height: 800 } });
    const [title, subtitle, search] = await Promise.all(
      ["h1", "#subtitle", "#search"].map((place) => page.locator(place).boundingBox()),
    );
    assert.ok(subtitle && subtitle.y >= title.y + title.height - 1, "the subtitle is there");
    assert.ok(search.y >= subtitle.y + subtitle.height - 1, "the search covers neither");
    assert.ok(search.x + search.width <= 420 && (await page.evaluate(() => document.documentElement.scrollWidth)) <= 420);
    return page;
  },

  async "vector work is drawn on every thread that it is spread over"() {
    const page = await open("spread");
    const canvas = page.locator("#timeline canvas");
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    const lane = 26; // pixels from one to the next; the first is the matrix unit's
    for (const thread of [1, 2]) {
      await page.mouse.click(box.x + 78 + (box.width - 78) * (1200 / 2150), box.y + 24 + thread * lane + 8);
      assert.match(await page.innerText("#detail h2"), /^q::Tanh 0x5$/);
      assert.match(await page.innerText("#detail"), /HVX 0–1/);
      await page.keyboard.press("Escape");
    }
    await openSection(page, "htp-ops");
    assert.ok((await rowsOf(page, "htp-ops", 3)).includes("HVX 0–1"));
    return page;
  },

  async "the votes of a run that was logged are on the page"() {
    const page = await open("voted");
    await openSection(page, "power");
    const text = await page.innerText("#power");
    for (const wanted of ["power_saver", "5.79 ms of the call", "7 more steps"]) assert.ok(text.includes(wanted), wanted);
    assert.ok(!text.includes("power votes over time"), "they are available");
    assert.deepEqual(await rowsOf(page, "votes", 2), ["vote of 1", "waking up"]);
    assert.deepEqual(await rowsOf(page, "votes", 1), ["", "5786.0"]);
    return page;
  },

  async "what compression saves is left out of every count of DRAM's bytes"() {
    const page = await open("spread");
    const loads = async (table, column) => (await rowsOf(page, table, column)).filter((text) => /^[1-9]/.test(text)).sort();
    await openSection(page, "htp-ops");
    assert.deepEqual(await loads("htp-ops", 10), ["1.0 KiB", "2.0 KiB", "2.0 KiB"]);
    assert.match(await page.innerText("main"), /5\.0 KiB in/);
    return page;
  },

  async "a device that was given away is told of"() {
    const page = await open("spread");
    await openSection(page, "yields");
    assert.match(await page.innerText("#yields"), /77 cycles/);
    assert.deepEqual(await rowsOf(page, "yields", 2), ["300"]);
    return page;
  },

  async "in a frame of a notebook, it works and complains of nothing"() {
    const context = await browser.newContext({ viewport: { width: 1400, height: 1000 } });
    const page = await context.newPage();
    page.troubles = [];
    page.on("console", (message) => page.troubles.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => page.troubles.push(`error: ${error.message}`));
    const escaped = readFileSync(`${pages}/small.html`, "utf8").replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    await page.setContent(`<h1>Notebook</h1><iframe srcdoc="${escaped}" style="width: 100%; height: 720px"></iframe>`);
    const frame = page.frames()[1];
    await frame.waitForFunction(() => document.documentElement.dataset.ready);
    assert.ok((await frame.innerText("main")).includes("HTP Overall Summary"));
    await frame.click('nav a[href="#qnn-ops"]');
    await frame.click('[data-table="qnn-ops"] tr.data');
    assert.match(await frame.innerText("#detail h2"), /^(conv|tanh)$/);
    assert.ok(!(await frame.innerText("#detail")).includes("Copy link"));
    await frame.click('#detail button[aria-label="Close (Esc)"]');
    assert.ok(await frame.locator("#detail").isHidden());
    assert.equal(await page.innerText("h1"), "Notebook");
    return page;
  },

  async "columns sort up, down, and back, and say so"() {
    const page = await open("small");
    await openSection(page, "qnn-ops");
    const head = page.locator('[data-table="qnn-ops"] th[data-key="cycles"]');
    await head.locator("button").first().click();
    assert.deepEqual(await rowsOf(page, "qnn-ops", 0), ["tanh", "conv"]);
    assert.equal(await head.getAttribute("aria-sort"), "descending");
    await head.locator("button").first().click();
    assert.deepEqual(await rowsOf(page, "qnn-ops", 0), ["conv", "tanh"]);
    assert.equal(await head.getAttribute("aria-sort"), "ascending");
    await head.locator("button").first().click();
    assert.equal(await head.getAttribute("aria-sort"), "none");
    return page;
  },

  async "filters of several columns hold at once; numbers compare"() {
    const page = await open("large");
    await openSection(page, "htp-ops");
    await filter(page, "htp-ops", "type", "conv");
    await filter(page, "htp-ops", "op", "layers.12/");
    const conv = await rowsOf(page, "htp-ops", 1),
      ops = await rowsOf(page, "htp-ops", 2);
    assert.ok(conv.length > 1 && conv.every((name) => name === "q::Conv2d"));
    assert.ok(ops.every((name) => name.includes("layers.12/")));
    await filter(page, "htp-ops", "cycles", ">2000");
    const cycles = (await rowsOf(page, "htp-ops", 7)).map((text) => Number(text.replace(/\D/g, "")));
    assert.ok(cycles.length > 0 && cycles.length < conv.length && cycles.every((n) => n > 2000));
    await filter(page, "htp-ops", "op", "no such op");
    assert.match(await page.innerText('[data-table="htp-ops"] .count'), /^0 of/);
    return page;
  },

  async "a column becomes a chart, and a slice a filter"() {
    const page = await open("small");
    await page.click('[data-table="qnn-op-types"] th[data-key="cycles"] .chart');
    const figure = page.locator('[data-table="qnn-op-types"] figure');
    assert.equal(await figure.locator("svg path").count(), 2);
    assert.match(await figure.innerText(), /Tanh\s+60\.0 %/);
    await figure.locator("svg path").first().dispatchEvent("click"); // a ring has no middle to click on
    assert.deepEqual(await rowsOf(page, "qnn-op-types", 0), ["Tanh"]);
    return page;
  },

  async "links show the rows of what they name, not of what begins alike"() {
    const page = await open("large", `#op=${encodeURIComponent("/model/layers.0/block/op_1")}`);
    await page.getByRole("button", { name: "Its HTP ops" }).click();
    const ops = await rowsOf(page, "htp-ops", 2);
    assert.ok(ops.length > 0 && ops.every((name) => name === "/model/layers.0/block/op_1"), ops.join());
    await filter(page, "htp-ops", "op", "");
    await filter(page, "htp-ops", "type", "=q::Conv");
    assert.match(await page.innerText('[data-table="htp-ops"] .count'), /^0 of/);
    return page;
  },

  async "the timeline zooms and moves by keys, wheel and mouse"() {
    const page = await open("large");
    const canvas = page.locator("#timeline canvas");
    const range = async () => {
      await page.waitForTimeout(60);
      return [Number(await canvas.getAttribute("data-from")), Number(await canvas.getAttribute("data-to"))];
    };
    await canvas.scrollIntoViewIfNeeded();
    const whole = await range();
    assert.equal(whole[0], 0);
    await canvas.focus();
    for (let i = 0; i < 4; i++) await page.keyboard.press("w");
    const near = await range();
    assert.ok(near[1] - near[0] < (whole[1] - whole[0]) / 4);
    await page.keyboard.press("d");
    const moved = await range();
    assert.ok(moved[0] > near[0] && Math.abs(moved[1] - moved[0] - (near[1] - near[0])) < 2);
    const box = await canvas.boundingBox();
    await page.mouse.move(box.x + 500, box.y + 40);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -300);
    await page.keyboard.up("Control");
    const wheeled = await range();
    assert.ok(wheeled[1] - wheeled[0] < moved[1] - moved[0]);
    await page.mouse.down();
    await page.mouse.move(box.x + 700, box.y + 40, { steps: 4 });
    await page.mouse.up();
    assert.ok((await range())[0] < wheeled[0]);
    await page.keyboard.press("Home");
    assert.deepEqual(await range(), whole);
    assert.ok(Number(await canvas.getAttribute("data-drawn")) < 20000, "a view costs pixels, not ops");
    return page;
  },

  async "a click on the timeline opens the op, and its address leads back"() {
    const page = await open("small");
    const canvas = page.locator("#timeline canvas");
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    await page.mouse.click(box.x + 78 + (box.width - 78) * (700 / 2150), box.y + 24 + 8); // cycle 700 on the matrix unit
    assert.match(await page.innerText("#detail h2"), /^q::Conv2d 0x3$/);
    assert.match(page.url(), /#htp=0x3$/);
    const again = await open("small", "#htp=0x3");
    assert.match(await again.innerText("#detail h2"), /^q::Conv2d 0x3$/);
    page.troubles.push(...again.troubles);
    return page;
  },

  async "an op has a permalink, and leads to the framework's node"() {
    const page = await open("large", `#op=${encodeURIComponent("/model/layers.2000/block/op_80007")}`);
    assert.equal(await page.innerText("#detail h2"), "/model/layers.2000/block/op_80007");
    assert.match(await page.innerText("#detail"), /onnx::\/model\/layers\.2000\/block\/op_80007/);
    assert.equal(
      await page.locator('[data-table="qnn-ops"] tr.chosen td').first().innerText(),
      "/model/layers.2000/block/op_80007",
    );
    await page.keyboard.press("Escape");
    assert.ok(await page.locator("#detail").isHidden());
    assert.ok(!page.url().includes("#"));
    return page;
  },

  async "search finds by framework name, by keys alone"() {
    const page = await open("large");
    await page.keyboard.press("/");
    await page.keyboard.type("onnx::/model/layers.77/block/op_3091");
    await page.keyboard.press("Enter");
    assert.equal(await page.innerText("#detail h2"), "/model/layers.77/block/op_3091");
    return page;
  },

  async "tables are reached and walked by keys, and only rows in sight exist"() {
    const page = await open("large");
    await openSection(page, "htp-ops");
    const grid = page.locator('[data-table="htp-ops"] .grid');
    await grid.focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    assert.match(await page.innerText("#detail h2"), /^q::\w+ 0x33e13$/);
    const last = await page.locator('[data-table="htp-ops"] tr.active').getAttribute("aria-rowindex");
    assert.equal(Number(last), 212500 + 2);
    assert.ok((await page.locator('[data-table="htp-ops"] tr.data').count()) < 100);
    assert.equal(await page.locator('[data-table="htp-ops"] table').getAttribute("aria-rowcount"), String(212500 + 2));
    return page;
  },

  async "rows are copied as CSV, and no cell is a formula"() {
    const page = await open("hostile");
    await openSection(page, "htp-ops");
    await page.click('[data-table="htp-ops"] >> text=Copy CSV');
    await page.waitForSelector("#toast.on");
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(text.split("\n")[0].split(",")[1], "HTP op");
    assert.ok(text.includes(`,'=cmd|' /C calc'!A0,`));
    assert.ok(!/,=cmd/.test(text));
    return page;
  },

  async "names of a model never become markup"() {
    const page = await open("hostile");
    for (const id of ["qnn-ops", "htp-ops", "dominant-path"]) await openSection(page, id);
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator("main img").count(), 0);
    assert.deepEqual(await rowsOf(page, "qnn-ops", 0), [
      "conv\"'><img src=x onerror=window.broken=1>",
      "</script><!-- größe 日本語 \u2028 line",
    ]);
    await page.click('[data-table="qnn-ops"] tr.data >> nth=1');
    const again = await open("hostile", new URL(page.url()).hash);
    assert.match(await again.innerText("#detail h2"), /^<\/script><!--/);
    page.troubles.push(...again.troubles);
    return page;
  },

  async "runs without ops, and ops without cycles, are whole pages"() {
    const empty = await open("empty"),
      odd = await open("odd");
    for (const page of [empty, odd]) {
      for (const link of await page.locator("nav a").all()) await link.click();
      for (const chart of await page.locator(".chart").all()) await chart.click();
      assert.ok(!(await page.innerText("main")).includes("NaN"));
    }
    odd.troubles.push(...empty.troubles);
    return odd;
  },

  async "the page of a difference sorts and filters, and keeps names harmless"() {
    const page = await open("diff", "", { isDiff: true });
    const names = () =>
      page.$$eval("#ops tbody tr:not([hidden]) td:first-child", (cells) => cells.map((cell) => cell.textContent));
    assert.equal((await names()).length, 4); // two ops of each run, under other names
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator("main img").count(), 0);
    await page.click("#ops th:nth-child(6) button");
    const changes = await page.$$eval("#ops tbody td:nth-child(6)", (cells) => cells.map((cell) => Number(cell.textContent)));
    assert.deepEqual(
      changes,
      [...changes].sort((a, b) => b - a),
    );
    await page.fill("#search", "onerror");
    assert.equal((await names()).length, 1);
    return page;
  },

  async "nothing keeps people from using it, in light and dark (axe-core)"() {
    const script = accessibilityScript(npm);
    if (!script) console.log("    left out: npm's axe-core is not installed and cannot be");
    let page;
    for (const [name, colorScheme] of [
      ["small", "light"],
      ["small", "dark"],
      ["diff", "light"],
    ]) {
      page = await open(name, name === "small" ? "#op=conv" : "", { colorScheme, bypassCSP: true, isDiff: name === "diff" });
      for (const link of await page.locator("nav a").all()) await link.click();
      if (!script) continue;
      await page.evaluate(script);
      const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(
        violations.map((one) => `${one.id}: ${one.nodes[0].html}`),
        [],
        `${name}, ${colorScheme}`,
      );
    }
    return page;
  },

  async "light and dark: as the system says, and by a key"() {
    const page = await open("small", "", { colorScheme: "dark" });
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(await theme(), "dark");
    await page.keyboard.press("t");
    assert.equal(await theme(), "light");
    await page.reload();
    assert.equal(await theme(), "light");
    return page;
  },

  async "a hundred thousand ops: small enough, and soon there"() {
    const size = statSync(`${pages}/large.html`).size;
    assert.ok(size < kLargestPage, `${size} bytes`);
    const times = [];
    let page;
    for (let i = 0; i < 3; i++) {
      page = await open("large");
      times.push(Number(await page.evaluate(() => document.documentElement.dataset.ready)));
    }
    const best = Math.min(...times);
    console.log(`    ${(size / 1e6).toFixed(1)} MB, interactive after ${times.join(", ")} ms`);
    assert.ok(best < kInteractive, `${best} ms`);
    return page;
  },
};

await runAll(browser, tests, async (page) => {
  assert.deepEqual(page.troubles, [], "the page complains");
  await page.context().close();
});
