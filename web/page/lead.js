// What a code is, in the page's first words: a sentence, and its chunks with their rows.
import { kindOf } from "./chips.js";
import { byId, counted } from "./dom.js";
import { gridSvg } from "./grid.js";

const WIDTH = 420;
const HEIGHT = 72;
const MOST_CHUNKS = 40;
const MOST_ROWS = 36;

function sentence(matrix, survives) {
  const chunks = matrix.locations;
  const kinds = Array.from({length: chunks}, (_, chunk) => kindOf(matrix, chunk));
  const [data, redundant] = ["data", "redundant"].map(kind => kinds.filter(one => one === kind).length);
  const what = data + redundant === chunks
    ? `Here ${counted(data, "chunk")} of data ${data === 1 ? "gets" : "get"} ${redundant} redundant ${redundant === 1 ? "one" : "ones"}`
    : `Here ${counted(chunks, "chunk")} hold data and redundancy`;
  if (survives?.answer !== "proved" || survives.most === 0) return `${what}.`;
  return `${what}; any ${survives.most ?? survives.losses} of the ${chunks} may be lost${survives.most === null ? ", perhaps more" : ""}.`;
}

// Shows a code; what it survives, where that is known.
export function showLead(matrix, survives = null) {
  byId("lead-code").textContent = sentence(matrix, survives);
  const {locations: chunks, rows_of_location: rows} = matrix;
  const computed = new Set(matrix.outputs);
  byId("lead-picture").innerHTML = chunks > MOST_CHUNKS || rows > MOST_ROWS ? "" : `${gridSvg({
    chunks, cells: rows, width: Math.min(36, WIDTH / chunks - 4), height: Math.min(18, HEIGHT / rows),
    kindOf: (chunk, row) => (computed.has(chunk * rows + row) ? "read" : "kept"), areElements: true,
    label: `${counted(chunks, "chunk")} of ${counted(rows, "row")}; ${counted(computed.size, "row")} are redundant`,
  })}<ul class="legend"><li class="kept">data</li><li class="read">redundant</li></ul>`;
}
