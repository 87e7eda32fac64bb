// SPDX-License-Identifier: BSD-3-Clause
// A picture of a run's page: node picture.mjs PAGE.html OUT.png NPM_FOLDER (scripts/report_picture calls it)
import { launch } from "./browser.mjs";
import { pathToFileURL } from "node:url";

const [page, out, npm] = process.argv.slice(2);
const browser = await launch(npm);
const view = await browser.newPage({ viewport: { width: 1280, height: 1400 }, colorScheme: "light" });
await view.goto(pathToFileURL(page).href);
await view.waitForFunction(() => document.documentElement.dataset.ready);
await view.waitForTimeout(300); // the timeline is drawn in the next frame
await view.screenshot({ path: out });
await browser.close();
