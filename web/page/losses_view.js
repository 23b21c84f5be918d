// The view of losses: what is read to rebuild lost chunks, beside a rebuild from k whole chunks.
import { Stopped } from "./compiler.js";
import { byId, counted, latest, showSentence } from "./dom.js";
import { lostOf, showChips } from "./chips.js";
import { equationList, followElements, xorsOf } from "./equation_list.js";
import { term } from "./glossary.js";
import { fileName, quoted, takeaway } from "./takeaway.js";

const isLast = latest();
let decode = null;

const MOST_CELLS = 20000;

function cellsSvg(reads) {
  const {locations, cells, lost, read} = reads;
  if (locations * cells > MOST_CELLS) return "";
  const width = Math.max(14, Math.min(40, 760 / locations));
  const height = Math.max(3, Math.min(20, 240 / cells));
  const isRead = new Set(read);
  let drawn = "";
  for (let location = 0; location < locations; ++location) {
    for (let row = 0; row < cells; ++row) {
      const kind = lost.includes(location) ? "lost" : isRead.has(location * cells + row) ? "read" : "kept";
      const gap = height > 8 ? 1.5 : 0.5;
      drawn += `<rect class="${kind}" x="${location * (width + 4)}" y="${20 + row * height}" width="${width}" height="${height - gap}" rx="${height > 8 ? 2 : 0}"/>`;
    }
    drawn += `<text x="${location * (width + 4) + width / 2}" y="13">${location}</text>`;
  }
  const all = [locations * (width + 4), 20 + cells * height];
  return `<svg class="cells" width="${all[0]}" height="${all[1]}" style="max-width:100%;height:auto" viewBox="0 0 ${all[0]} ${all[1]}" role="img"
    aria-label="Cells of each location: lost, read or left alone">${drawn}</svg>
    <ul class="legend"><li class="lost">lost</li><li class="read">read</li><li class="kept">left alone</li></ul>`;
}

function bars(reads) {
  const full = reads.full;
  const share = Math.min(1, reads.read.length / full);
  return `<div class="meters"><div><span>This repair</span><div class="meter"><i style="width:${100 * share}%"></i></div><b>${counted(reads.read.length, "cell")}</b></div>
    <div><span>Full rebuild</span><div class="meter"><i class="all" style="width:100%"></i></div><b>${counted(full, "cell")}</b></div></div>
    <p>This repair reads ${counted(reads.read.length, "cell")} from ${counted(reads.read_locations, "location")} to rebuild ${reads.rebuilt}:
    <b>${reads.bytes_per_byte.toFixed(2)} bytes read per byte rebuilt</b>. ${reads.is_fewest ? "No other choice of cells is smaller. " : ""}
    A full rebuild reads as many cells as hold data: ${(full / reads.rebuilt).toFixed(2)} bytes per byte rebuilt.</p>`;
}

export const lossesView = {
  start(view) {
    view.innerHTML = `<p class="how">Click the ${term("chunk", "chunks")} that are lost. An ${term("erasure")} is a loss whose place is known.</p>
      <div class="chips" id="chips" role="group" aria-label="Locations"></div><div id="losses-body" aria-live="polite"></div>
      <div id="decode"></div><p class="note quiet" id="decode-note"></p><div class="takeaway" id="losses-takeaway"></div>`;
    followElements(byId("decode"), () => decode, byId("decode-note"));
    byId("decode").addEventListener("click", event => {
      if (event.target.closest(".more")) byId("decode").innerHTML = equationList(decode, Infinity);
    });
  },

  async show(code, matrix, compiler) {
    const last = await isLast();
    showChips(byId("chips"), matrix);
    const lost = lostOf(matrix);
    if (!lost.length) {
      decode = null;
      byId("decode").innerHTML = byId("losses-takeaway").innerHTML = byId("decode-note").textContent = "";
      showSentence(byId("losses-body"), "Nothing is lost.");
      byId("view").dataset.shown = code;
      return;
    }
    try {
      const reads = await compiler.json({ask: "reads", code, erase: lost});
      const question = {ask: "equations", code, erase: lost, reads: "min"};
      const document = await compiler.json(question);
      if (!last()) return;
      decode = document;
      byId("losses-body").innerHTML = `<div class="wide">${cellsSvg(reads)}</div><p class="quiet small">A box is a ${term("cell")}: ${counted(matrix.rows_of_location / reads.cells, "row")} of its location.</p>${bars(reads)}`;
      byId("decode").innerHTML = `<h2>${counted(xorsOf(document), "XOR")} to rebuild what is lost</h2>${equationList(document)}`;
      takeaway(byId("losses-takeaway"), `xorloom equations ${quoted(code)} --erase ${lost.join(",")} --reads min`, {
        "SVG": async () => [fileName(code, `lost-${lost.join("-")}.svg`), await compiler.ask({ask: "reads", code, erase: lost, format: "svg"}), "image/svg+xml"],
        "JSON": async () => [fileName(code, `lost-${lost.join("-")}.json`), await compiler.ask(question), "application/json"],
        "C": async () => [fileName(code, `decode-${lost.join("-")}.c`), await compiler.ask({ask: "source", code, erase: lost, target: "c"}), "text/x-c"],
      });
    } catch (error) {
      if (!last() || error instanceof Stopped) return;
      decode = null;
      byId("decode").innerHTML = byId("losses-takeaway").innerHTML = "";
      showSentence(byId("losses-body"), error.message, true);
    }
    byId("view").dataset.shown = code;
  },
};
