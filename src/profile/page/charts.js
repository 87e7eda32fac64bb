// ---- Charts in SVG.

const kSlices = 11; // and one for the rest

// A ring of slices {label, value, text, colour}, largest first, with its legend; a click on a slice names it.
function donut(slices, title, onPick) {
  const all = slices.filter((slice) => slice.value > 0).sort((a, b) => b.value - a.value);
  const total = all.reduce((sum, slice) => sum + slice.value, 0);
  const shown = all.slice(0, kSlices);
  const rest = all.slice(kSlices).reduce((sum, slice) => sum + slice.value, 0);
  if (rest > 0)
    shown.push({ label: all.length - kSlices === 1 ? "1 other" : `${integer(all.length - kSlices)} others`, value: rest, text: "", colour: "#98a2ad", isRest: true });
  const picture = svg("svg", { viewBox: "-100 -100 200 200", role: "img", "aria-label": title });
  let angle = 0;
  for (const slice of shown) {
    const share = slice.value / total;
    const path = svg("path", { d: ringPart(angle, angle + share), fill: slice.colour });
    path.append(svg("title", {}, `${slice.label}: ${percent(slice.value, total)} ${slice.text}`));
    if (!slice.isRest) path.addEventListener("click", () => onPick(slice.label));
    picture.append(path);
    angle += share;
  }
  if (!total) picture.append(svg("text", { "text-anchor": "middle", y: 4, class: "dim" }, "nothing to show"));
  else picture.append(svg("text", { "text-anchor": "middle", y: 4, class: "dim" }, `${integer(all.length)} parts`));
  const legend = element(
    "ul",
    {},
    ...shown.map((slice) => {
      const swatch = element("span", { class: "swatch" });
      swatch.style.background = slice.colour;
      return element(
        "li",
        {},
        swatch,
        element("span", { class: "l", title: slice.label }, slice.label),
        element("b", {}, percent(slice.value, total)),
      );
    }),
  );
  return element(
    "figure",
    { class: "pie", "aria-label": title, style: "margin:0 0 10px" },
    picture,
    element("div", {}, element("b", {}, title), legend),
  );
}

// From and to are parts of the circle, 0 at the top, clockwise.
function ringPart(from, to) {
  const outer = 96,
    inner = 58;
  const end = Math.min(to, from + 0.99999); // a whole circle would draw nothing
  const at = (radius, part) => {
    const angle = 2 * Math.PI * part - Math.PI / 2;
    return `${(radius * Math.cos(angle)).toFixed(3)} ${(radius * Math.sin(angle)).toFixed(3)}`;
  };
  const large = end - from > 0.5 ? 1 : 0;
  return `M${at(outer, from)}A${outer} ${outer} 0 ${large} 1 ${at(outer, end)}L${at(inner, end)}A${inner} ${inner} 0 ${large} 0 ${at(inner, from)}Z`;
}
