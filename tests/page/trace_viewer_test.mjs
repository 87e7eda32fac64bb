// SPDX-License-Identifier: BSD-3-Clause
// feature: D5 (report)
// Our traces in a viewer that others wrote (speedscope, from npm), in a real browser: node trace_viewer_test.mjs PAGES_FOLDER NPM_FOLDER
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, neededPackage, runAll } from "./browser.mjs";

const [pages, npm] = process.argv.slice(2).map((folder) => resolve(folder));
const viewer = pathToFileURL(`${neededPackage(npm, "speedscope")}/dist/release/index.html`).href;
const browser = await launch(npm);

// What the viewer says about a trace that it cannot make sense of. WebGL has warnings of its own.
const isComplaint = (message) => message.type() === "error" || /^ts=|^Frame |unable|failed/i.test(message.text());

// Opens a trace as a user does, and answers the names of the profiles that the viewer found in it.
async function profilesOf(trace) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  const troubles = [];
  page.on("console", (message) => isComplaint(message) && troubles.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    troubles.push(`says: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(viewer);
  await page.waitForSelector("input[type=file]", { state: "attached" });
  await page.setInputFiles("input[type=file]", `${pages}/${trace}_chrometrace.json`);
  await page.waitForFunction(() => /\(\d+\/\d+\)/.test(document.body.innerText), null, { timeout: 60_000 });
  await page.keyboard.press("t"); // the list of profiles
  await page.waitForFunction(() => document.body.innerText.includes("Total Weight"));
  const text = await page.innerText("body");
  await page.close();
  assert.deepEqual(troubles, []);
  return [...text.matchAll(/\(pid 1\), (.*) \(tid \d+\)\t/g)].map((match) => match[1]);
}

const tests = {
  async "a track for each unit, and one for the inference"() {
    assert.deepEqual((await profilesOf("small")).sort(), ["DMA", "HMX", "HVX 0", "HVX 1", "net Runtraces"]);
  },
  async "vector work is on every thread, and yields have a track"() {
    assert.deepEqual((await profilesOf("spread")).sort(), ["DMA", "HMX", "HVX 0", "HVX 1", "net Runtraces", "net Yields"]);
  },
  async "durations of nothing and odd names"() {
    assert.ok((await profilesOf("odd")).length >= 3);
  },
  async "ten thousand ops"() {
    assert.deepEqual((await profilesOf("long")).sort(), ["DMA", "HMX", "HVX 0", "HVX 1", "HVX 2", "HVX 3", "net Runtraces"]);
  },
};

await runAll(browser, tests);
