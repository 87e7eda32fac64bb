// SPDX-License-Identifier: BSD-3-Clause
// Chromium for the tests of pages: the program comes from Debian, playwright-core from npm, into the folder that is named, when it
// is not there. Where one of them is missing, the process ends with 77 and says which.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

// What the Node.js of Debian 12 (18) runs.
const versions = { "playwright-core": "1.50.1", "axe-core": "4.10.3", speedscope: "1.25.0" };

// The folder of an npm package, or null where it is not installed and cannot be.
function packageFolder(npm, name) {
  const place = `${npm}/node_modules/${name}`;
  const isThere = () => existsSync(place) && JSON.parse(readFileSync(`${place}/package.json`, "utf8")).version === versions[name];
  if (!isThere())
    spawnSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", npm, `${name}@${versions[name]}`], {
      stdio: "ignore",
    });
  return isThere() ? place : null;
}

export function neededPackage(npm, name) {
  return packageFolder(npm, name) ?? skip(`npm's ${name} is not installed and cannot be`);
}

function playwright(npm) {
  neededPackage(npm, "playwright-core");
  return createRequire(`${npm}/`)("playwright-core");
}

// The script of axe-core, which looks for what keeps people from using a page; null where it cannot be had.
export function accessibilityScript(npm) {
  const place = packageFolder(npm, "axe-core");
  return place && readFileSync(`${place}/axe.min.js`, "utf8");
}

function chromiumPath() {
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    const found = spawnSync("which", [name], { encoding: "utf8" }).stdout.trim();
    if (found) return found;
  }
  return skip("there is no chromium (Debian package chromium)");
}

export function launch(npm) {
  const executablePath = chromiumPath();
  return playwright(npm).chromium.launch({ executablePath, args: process.getuid() === 0 ? ["--no-sandbox"] : [] });
}

// Runs tests by their names, tells of each, and ends the process. `afterEach` gets what a test answers.
export async function runAll(browser, tests, afterEach = async () => {}) {
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    try {
      await afterEach(await test());
      console.log(`passed: ${name}`);
    } catch (error) {
      failed++;
      console.log(`FAILED: ${name}\n    ${String(error.stack).split("\n").slice(0, 12).join("\n    ")}`);
    }
  }
  await browser.close();
  console.log(`${Object.keys(tests).length - failed} of ${Object.keys(tests).length} hold`);
  process.exit(failed ? 1 : 0);
}
