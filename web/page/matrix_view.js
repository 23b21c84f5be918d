// The view of the bitmatrix: a row for each output, a column for each input, and a cursor that says what a cell means.
import { byId, counted, escaped, latest } from "./dom.js";
import { term } from "./glossary.js";
import { noGridPicture, noMatrixPicture } from "./picture_bounds.js";
import { fileName, overSymbols, quoted, takeaway } from "./takeaway.js";

const isLast = latest();
const MOST_CELLS = 1 << 20;
const MOST_HEADS = 16; // chunks with a number, along one side
const HEAD = 15; // height of a number, in pixels
const DIGIT = 7; // width
const LEAST_RULED = 6; // pixels between lines

let matrix = null;
let cursor = [0, 0];

const chunkOf = element => Math.floor(element / matrix.rows_of_location);
const place = element => `row ${element % matrix.rows_of_location} of chunk ${chunkOf(element)}`;

const raised = number => [...String(number)].map(digit => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");

function hasOne(row, column) {
  return matrix.rows[row].includes(column);
}

// The symbol whose bits the block of a cell has: its first column is the symbol itself.
function factor(row, column) {
  const bits = matrix.symbol_bits;
  const [top, left] = [row - (row % bits), column - (column % bits)];
  return Array.from({length: bits}, (_, bit) => (hasOne(top + bit, left) ? 2 ** bit : 0)).reduce((sum, one) => sum + one, 0);
}

// What a cell is within the product of two symbols.
function symbolText(row, column) {
  const bits = matrix.symbol_bits;
  if (bits === 1) return "";
  const e = factor(row, column);
  const [from, to] = [chunkOf(matrix.inputs[column]), chunkOf(matrix.outputs[row])];
  const parts = matrix.rows_of_location === bits ? [`chunk ${from}`, `chunk ${to}`] : [`this symbol of chunk ${from}`, `the symbol of chunk ${to}`];
  const product = matrix.is_in_powers ? `e·2${raised(column % bits)}` : `e times vector ${column % bits} of the field's basis`;
  return ` In the sum for ${parts[1]}, ${parts[0]} is multiplied by the field element e = ${e > 9 ? `0x${e.toString(16)} = ` : ""}${e}; this is bit ${row % bits} of ${product}, which is what the column adds.`;
}

function say() {
  const [row, column] = cursor;
  const {inputs, outputs, rows} = matrix;
  byId("cell").textContent =
    `Element ${inputs[column]} (${place(inputs[column])}) is ${hasOne(row, column) ? "" : "no "}part of the sum for element ${outputs[row]} (${place(outputs[row])})` +
    `.${symbolText(row, column)} The row has ${counted(rows[row].length, "one")}: ${counted(Math.max(0, rows[row].length - 1), "XOR")} if computed directly.`;
  byId("cross").setAttribute("d", `M${column} 0h1v${outputs.length}h-1zM0 ${row}h${inputs.length}v1h-${inputs.length}z`);
  byId("at").setAttribute("x", column);
  byId("at").setAttribute("y", row);
}

function move(row, column) {
  cursor = [Math.min(Math.max(row, 0), matrix.outputs.length - 1), Math.min(Math.max(column, 0), matrix.inputs.length - 1)];
  say();
}

// Lines between chunks, along one side of so many pixels, if there is room between them.
function rules(elements, pixels, line) {
  let way = "";
  if (pixels / new Set(elements.map(chunkOf)).size < LEAST_RULED) return way;
  for (let i = 1; i < elements.length; ++i) {
    const [here, before] = [elements[i], elements[i - 1]].map(chunkOf);
    if (here !== before) way += line(i);
  }
  return way;
}

// The chunks along one side of so many pixels, each as wide as its elements; some have no number where there are many.
function heads(elements, pixels, head) {
  const groups = [];
  for (const element of elements) {
    const chunk = chunkOf(element);
    if (groups.at(-1)?.chunk === chunk) groups.at(-1).size += 1;
    else groups.push({chunk, size: 1});
  }
  const every = Math.ceil(groups.length / Math.max(1, Math.min(MOST_HEADS, Math.floor(pixels / head))));
  return groups.map(({chunk, size}, i) => `<span style="flex-grow:${size}">${i % every ? "" : chunk}</span>`).join("");
}

function picture() {
  const {inputs, outputs, rows} = matrix;
  const widest = Math.min(22 * inputs.length, 1100);
  const width = Math.min(widest, byId("bits-place").clientWidth - 40);
  const height = (width * outputs.length) / inputs.length;
  const gap = widest >= 8 * inputs.length ? 0.08 : 0; // between cells, where these are large enough
  const side = 1 - gap;
  const ones = rows.map((row, y) => row.map(x => `M${x + gap / 2} ${y + gap / 2}h${side}v${side}h-${side}z`).join("")).join("");
  const lines = rules(inputs, width, x => `M${x} 0V${outputs.length}`) + rules(outputs, height, y => `M0 ${y}H${inputs.length}`);
  const all = rows.reduce((sum, row) => sum + row.length, 0);
  const longest = 6 + DIGIT * String(matrix.locations - 1).length;
  const label = `Bitmatrix of ${outputs.length} rows and ${inputs.length} columns with ${all} ones; arrow keys move the cursor`;
  return `<div class="framed" style="max-width:${widest + 40}px"><div class="across">${heads(inputs, width, longest)}</div><div class="down">${heads(outputs, height, HEAD)}</div><svg class="bits" id="bits" tabindex="0" role="img" aria-label="${escaped(label)}" aria-describedby="cell"
    viewBox="0 0 ${inputs.length} ${outputs.length}">
    <rect class="ground" width="${inputs.length}" height="${outputs.length}"/>
    <path class="cross" id="cross"/><path class="ones" d="${ones}"/><path class="rules" d="${lines}"/>
    <rect class="at" id="at" width="1" height="1"/></svg></div>`;
}

function follow(svg) {
  // A tap of a finger has no move.
  for (const kind of ["pointermove", "pointerdown"]) {
    svg.addEventListener(kind, event => {
      const box = svg.getBoundingClientRect();
      const at = (from, size, number) => Math.floor((from / size) * number);
      move(at(event.clientY - box.top, box.height, matrix.outputs.length), at(event.clientX - box.left, box.width, matrix.inputs.length));
    });
  }
  svg.addEventListener("keydown", event => {
    const way = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key];
    if (!way) return;
    event.preventDefault();
    move(cursor[0] + way[0], cursor[1] + way[1]);
  });
}

export const matrixView = {
  start(view) {
    view.innerHTML = `<p id="matrix-how">The ${term("bitmatrix", "bitmatrix", "the rows of what is computed; those of the data would only copy it")} has a row for each ${term("element")} that is computed, and a column for each element of data.
      An element is the XOR of the data whose boxes in its row are filled. The numbers at the sides are ${term("chunk", "chunks")}.<span class="screen"> Point at a box or tap it, or use the arrow keys.</span></p>
      <div><div class="wide" id="bits-place"></div><p class="note" id="cell" aria-live="polite"></p></div><div class="takeaway" id="matrix-takeaway"></div>`;
  },

  async show(code, theMatrix, compiler) {
    const last = await isLast();
    if (!last()) return;
    matrix = theMatrix;
    cursor = [0, 0];
    const noGrid = noGridPicture(matrix.locations, matrix.rows_of_location / matrix.symbol_bits);
    const ofCode = {
      "SVG of the code": noGrid || (async () => [fileName(code, "code.svg"), await compiler.ask({ask: "code", code, format: "svg"}), "image/svg+xml"]),
      "JSON of the code": async () => [fileName(code, "code.json"), await compiler.ask({ask: "code", code}), "application/json"],
    };
    const ofTerminal = `xorloom codes ${quoted(code)} --format json`;
    byId("matrix-how").hidden = Boolean(matrix.unwritten);
    if (matrix.unwritten) {
      const grid = noGrid ? "" : await compiler.ask({ask: "code", code, format: "svg"});
      if (!last()) return;
      byId("cell").textContent = "";
      byId("bits-place").innerHTML = `<p>There is no bitmatrix here: ${escaped(matrix.unwritten)}. ${noGrid ? escaped(noGrid) : `This picture has the ${term("cell", "cells")} of the code, with a column for each ${term("chunk")}. The cell =A is the sum of the cells with a number, each times that number; other redundant cells are such sums, too.`}</p>` +
        (grid && `<div class="wide tall" tabindex="0" aria-label="The code"><img alt="The cells of ${escaped(code)}" src="data:image/svg+xml,${encodeURIComponent(grid)}"></div>`);
      takeaway(byId("matrix-takeaway"), `${overSymbols(code)}\n${ofTerminal}`, ofCode, {head: "In a terminal: equations over symbols, and the code"});
      byId("view").dataset.shown = code;
      return;
    }
    if (matrix.inputs.length * matrix.outputs.length > MOST_CELLS) {
      byId("bits-place").innerHTML = `<p class="quiet">The matrix has ${matrix.outputs.length} rows and ${matrix.inputs.length} columns, more than a page can draw.</p>`;
      byId("cell").textContent = "";
    } else {
      byId("bits-place").innerHTML = picture();
      follow(byId("bits"));
      say();
    }
    takeaway(byId("matrix-takeaway"), `xorloom equations ${quoted(code)}\n${ofTerminal}`, {
      "SVG of the matrix": noMatrixPicture(matrix) || (async () => [fileName(code, "matrix.svg"), await compiler.ask({ask: "matrix", code, format: "svg"}), "image/svg+xml"]),
      ...ofCode,
    }, {head: "In a terminal: each row as an equation, and the code"});
    byId("view").dataset.shown = code;
  },
};
