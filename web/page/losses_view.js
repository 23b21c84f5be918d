// The view of losses: what is read to rebuild lost chunks, beside a rebuild from k whole chunks.
import { Refusal, Stopped } from "./compiler.js";
import { PATIENCE, byId, counted, escaped, latest, ratio, showSentence } from "./dom.js";
import { absentText, lostOf, sayLoss, showChips } from "./chips.js";
import { equationList, followElements, xorsOf } from "./equation_list.js";
import { term } from "./glossary.js";
import { gridSvg } from "./grid.js";
import { noGridPicture } from "./picture_bounds.js";
import { fileName, noSource, overSymbols, quoted, sourceNote, takeaway } from "./takeaway.js";

const isLast = latest();
let decode = null;

const MOST_CELLS = 20000;

function picture(matrix, {cells, lost, read}) {
  const chunks = matrix.locations;
  if (chunks * cells > MOST_CELLS) return "";
  const isRead = new Set(read);
  const grid = gridSvg({
    chunks, cells, width: Math.max(22, Math.min(40, 760 / chunks)), height: Math.max(2, Math.min(20, 240 / cells)),
    kindOf: (chunk, cell) => (lost.includes(chunk) ? "lost" : isRead.has(chunk * cells + cell) ? "read" : "kept"),
    areElements: cells === matrix.rows_of_location,
    label: `${counted(chunks, "chunk")}: each box is lost, read or left alone`,
  });
  const legend = [lost.length && ["lost", "lost"], read.length && ["read", "read"], ["kept", read.length ? "left alone" : "not lost"]].filter(Boolean);
  const size = matrix.rows_of_location / cells;
  const box = size === 1
    ? `A box is a ${term("row", "row", `${matrix.rows_of_location} in each chunk`)} of a chunk.`
    : `A box is a ${term("cell", "cell", `${size} rows, the least part that a repair reads`)}: ${size} rows of a chunk.`;
  return `<div class="wide" tabindex="0" aria-label="The chunks">${grid}</div><ul class="legend">${legend.map(([kind, text]) => `<li class="${kind}">${text}</li>`).join("")}</ul><p class="quiet small">${box}${absentText(matrix)}</p>`;
}

function bars(matrix, reads) {
  const {full} = reads;
  const unit = number => counted(number, reads.cells === matrix.rows_of_location ? "row" : "cell");
  const share = Math.min(1, reads.read.length / full);
  const whole = full / reads.cells;
  const simple = Number.isInteger(whole) ? `${counted(whole, "whole chunk")}, ${unit(full)}` : `as much as the data, ${unit(full)}`;
  return `<div class="meters"><div><span>This repair</span><div class="meter"><i style="width:${100 * share}%"></i></div><b>${unit(reads.read.length)}</b></div>
    <div><span>Simple way</span><div class="meter"><i class="all" style="width:100%"></i></div><b>${unit(full)}</b></div></div>
    <p>This repair reads ${unit(reads.read.length)} of ${counted(reads.read_locations, "chunk")} to rebuild the ${unit(reads.rebuilt)} that ${reads.rebuilt === 1 ? "is" : "are"} lost:
    <b>${ratio(reads.bytes_per_byte)} bytes read per byte rebuilt</b>. ${reads.is_fewest ? `No choice reads less: <span class="proved">✓ proved</span> by a bound on the reads of any repair.` : `This is the least found; ${reads.least ? `at least ${unit(reads.least)} ${reads.least === 1 ? "is" : "are"} needed` : "it is not proved to be the least possible"}.`}
    The simple way reads ${simple}: ${ratio(full / reads.rebuilt)} bytes per byte rebuilt.</p>`;
}

// The cells of a chunk that can be read alone, while nothing is read.
async function cellsOf(code, matrix, compiler) {
  try {
    return (await compiler.json({ask: "reads", code, erase: [0]})).cells;
  } catch (error) {
    if (error instanceof Stopped) throw error;
    return matrix.rows_of_location;
  }
}

export const lossesView = {
  start(view) {
    view.innerHTML = `<p class="how">Click the ${term("chunk", "chunks")} that are lost. An ${term("erasure")} is a loss whose place is known.</p>
      <div class="chips" id="chips" role="group" aria-label="Chunks"></div>
      <div id="losses-all"><div id="losses-body" aria-live="polite"></div><div id="decode"></div>
      <p class="note quiet" id="decode-note" aria-live="polite"></p></div><div class="takeaway" id="losses-takeaway"></div>`;
    followElements(byId("losses-all"), () => decode, byId("decode-note"));
  },

  async show(code, matrix, compiler) {
    const last = await isLast();
    showChips(byId("chips"), matrix);
    const lost = lostOf(matrix);
    // The chunks, and a sentence in place of equations.
    const sayOnly = async (sentence, isError = false) => {
      const cells = await cellsOf(code, matrix, compiler);
      if (!last() || !byId("decode")) return; // another code, loss or view was chosen
      decode = null;
      byId("decode").innerHTML = byId("losses-takeaway").innerHTML = byId("decode-note").textContent = "";
      byId("losses-body").innerHTML = `${picture(matrix, {cells, lost, read: []})}<p${isError ? ' class="error" role="alert"' : ""}>${escaped(sentence)}</p>`;
    };
    const waiting = setTimeout(() => {
      if (!lost.length || !last() || !byId("decode")) return;
      decode = null;
      byId("decode").innerHTML = byId("losses-takeaway").innerHTML = byId("decode-note").textContent = "";
      showSentence(byId("losses-body"), "Looking for the fewest reads …");
    }, PATIENCE);
    try {
      if (lost.length) {
        const reads = await compiler.json({ask: "reads", code, erase: lost});
        const question = {ask: "equations", code, erase: lost, reads: "min"};
        const svg = noGridPicture(reads.locations, reads.cells) ||
          (async () => [fileName(code, `lost-${lost.join("-")}.svg`), await compiler.ask({ask: "reads", code, erase: lost, format: "svg"}), "image/svg+xml"]);
        const document = await compiler.json(question).catch(error => {
          if (error instanceof Refusal) return error;
          throw error;
        });
        if (!last()) return;
        clearTimeout(waiting);
        byId("losses-body").innerHTML = `${picture(matrix, reads)}${bars(matrix, reads)}`;
        if (document instanceof Refusal) {
          decode = null;
          byId("decode").innerHTML = `<p>There are no equations here: ${escaped(document.message)}.</p>`;
          byId("decode-note").textContent = "";
          takeaway(byId("losses-takeaway"), `${overSymbols(code)} --erase ${lost.join(",")} --reads min`, {"SVG": svg}, {head: "In a terminal: equations over symbols"});
          byId("view").dataset.shown = code;
          return;
        }
        decode = document;
        byId("decode").innerHTML = `<h2>${counted(xorsOf(document), "XOR")} to rebuild what is lost</h2>
          <p class="quiet small">Each row that is lost is computed directly from what is read. Equations that share sums may need fewer XORs.</p>${equationList(document)}`;
        byId("decode-note").textContent = "Point at a number to see where it is, or use the arrow keys in the list.";
        takeaway(byId("losses-takeaway"), `xorloom equations ${quoted(code)} --erase ${lost.join(",")} --reads min`, {
          "SVG": svg,
          "JSON": async () => [fileName(code, `lost-${lost.join("-")}.json`), await compiler.ask(question), "application/json"],
          "C": noSource(matrix) || (async () => [fileName(code, `decode-${lost.join("-")}.c`), await compiler.ask({ask: "source", code, erase: lost, reads: "min", target: "c"}), "text/x-c"]),
        }, {note: sourceNote(matrix)});
      } else {
        await sayOnly("Nothing is lost. Click a chunk to lose it.");
      }
    } catch (error) {
      clearTimeout(waiting);
      if (!last() || error instanceof Stopped) return;
      await sayLoss(error.message, lost, matrix, async sentence => {
        await sayOnly(sentence, true);
        if (last()) byId("view").dataset.shown = code;
      });
      return;
    }
    byId("view").dataset.shown = code;
  },
};
