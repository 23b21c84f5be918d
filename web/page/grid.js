// The chunks of a stripe side by side, each as its rows or as cells of several rows.
import { escaped } from "./dom.js";

const HEAD = 18; // of the numbers of chunks, in pixels
const LEAST_FOR_HEAD = 15; // width
const LEAST_FOR_NUMBER = [13, 20]; // height and width of a box

// `kindOf(chunk, cell)` is the class of a box. Boxes are elements, with numbers where there is room, if `areElements`.
export function gridSvg({chunks, cells, width, height, kindOf, areElements, label}) {
  const isTall = height > 8;
  const hasNumbers = areElements && height >= LEAST_FOR_NUMBER[0] && width >= LEAST_FOR_NUMBER[1];
  let drawn = "";
  for (let chunk = 0; chunk < chunks; ++chunk) {
    const x = chunk * (width + 4);
    if (width >= LEAST_FOR_HEAD) drawn += `<text class="head" x="${x + width / 2}" y="13">${chunk}</text>`;
    const isOutlined = !isTall && kindOf(chunk, 0) === "lost"; // as a whole: its cells are too small for outlines
    for (let cell = 0; cell < cells; ++cell) {
      const y = HEAD + cell * height;
      const element = chunk * cells + cell;
      const number = hasNumbers ? `<text x="${x + width / 2}" y="${y + height / 2 + 2.5}">${element}</text>` : "";
      drawn += `<g class="${kindOf(chunk, cell)}${isOutlined ? " bare" : ""}"${areElements ? ` data-e="${element}"` : ""}>
        <rect x="${x}" y="${y}" width="${width}" height="${height - (isTall ? 2.5 : 0.5)}" rx="${isTall ? 2 : 0}"/>${number}</g>`;
    }
    if (isOutlined) drawn += `<rect class="outline" x="${x}" y="${HEAD}" width="${width}" height="${cells * height}"/>`;
  }
  const all = [chunks * (width + 4), HEAD + cells * height];
  return `<svg class="cells" width="${all[0]}" height="${all[1]}" viewBox="0 0 ${all[0]} ${all[1]}" role="img" aria-label="${escaped(label)}">${drawn}</svg>`;
}
