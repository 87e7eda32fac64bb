// The page of a difference: its rows are there already; this sorts and filters them.
const root = document.documentElement;
root.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
document.getElementById("theme").addEventListener("click", () => {
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
});

const table = document.getElementById("ops"),
  body = table.tBodies[0];
document.getElementById("search").addEventListener("input", (event) => {
  const wanted = event.target.value.trim().toLowerCase();
  for (const row of body.rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
});
for (const head of table.tHead.rows[0].cells) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...head.childNodes);
  head.append(button);
  head.setAttribute("aria-sort", "none");
  button.addEventListener("click", () => {
    const numeric = head.classList.contains("n");
    const down = head.getAttribute("aria-sort") === "none" ? numeric : head.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = (row) => (numeric ? Number(row.cells[head.cellIndex].textContent) : row.cells[head.cellIndex].textContent);
    const sign = down ? -1 : 1;
    body.append(...[...body.rows].sort((a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : 0)));
  });
}
