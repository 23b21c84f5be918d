// The view of a file: it is encoded, chunks of it are lost, and rebuilt by the equations of the code, in memory.
import { Stopped } from "./compiler.js";
import { byId, bytesText, counted, escaped, showSentence } from "./dom.js";
import { lostOf, showChips } from "./chips.js";
import { quoted, takeaway } from "./takeaway.js";

const MOST_BYTES = 64 << 20;
let file = null;
let shown = null; // {code, matrix, compiler}

async function tryIt() {
  const place = byId("file-result");
  byId("file-takeaway").innerHTML = "";
  if (!file || !shown) return;
  if (file.size > MOST_BYTES) {
    return showSentence(place, `${file.name} has ${bytesText(file.size)}, and this page takes at most ${bytesText(MOST_BYTES)} in memory. The program takes files of any size.`, true);
  }
  const {code, matrix, compiler} = shown;
  const lost = lostOf(matrix);
  showSentence(place, "Encoding, losing and rebuilding …");
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const encode = await compiler.json({ask: "equations", code});
    const decode = lost.length ? await compiler.json({ask: "equations", code, erase: lost, reads: "min"}) : null;
    const found = await compiler.tryFile({file: bytes, encode, decode, lost});
    if (shown.code !== code) return;
    const verdict = found.wrong === 0
      ? `<p class="good">✓ Every byte is back: ${escaped(file.name)}, ${bytesText(file.size)}.</p>`
      : `<p class="error" role="alert">${counted(found.wrong, "byte")} differ. This is a bug of this page: please report it.</p>`;
    const locations = lost.length ? `Lost: ${lost.length === 1 ? "location" : "locations"} ${lost.join(", ")}, ${bytesText(found.rebuiltBytes)}. Read to rebuild: ${bytesText(found.readBytes)}.` : "Nothing was lost.";
    place.innerHTML = `${verdict}<p>${matrix.locations} chunks of ${bytesText(found.chunkBytes)}. ${locations}</p>
      <p class="quiet">The bytes stayed in the memory of this page. Chunks are cut into one packet for each row here; the program's files also have checksums.</p>`;
    takeaway(byId("file-takeaway"), `xorloom encode ${quoted(file.name)} -o shards --code ${quoted(code)}`, {});
  } catch (error) {
    if (!(error instanceof Stopped)) showSentence(place, error.message, true);
  }
}

function take(files) {
  file = files?.[0] ?? null;
  void tryIt();
}

export const fileView = {
  start(view) {
    view.innerHTML = `<p>Drop a file: the page cuts it into the data chunks, computes the redundant ones, loses those that you choose, rebuilds them and compares every byte.</p>
      <label class="drop" id="drop"><input type="file" id="file"><span>Drop a file here, or choose one. It stays in this page; at most ${bytesText(MOST_BYTES)}.</span></label>
      <div class="chips" id="file-chips" role="group" aria-label="Locations to lose"></div>
      <div id="file-result" aria-live="polite"></div><div class="takeaway" id="file-takeaway"></div>`;
    byId("file").addEventListener("change", event => take(event.target.files));
    const drop = byId("drop");
    for (const kind of ["dragover", "dragleave", "drop"]) {
      drop.addEventListener(kind, event => {
        event.preventDefault();
        drop.classList.toggle("over", kind === "dragover");
        if (kind === "drop") take(event.dataTransfer.files);
      });
    }
  },

  async show(code, matrix, compiler) {
    shown = {code, matrix, compiler};
    showChips(byId("file-chips"), matrix);
    if (file) await tryIt();
    byId("view").dataset.shown = code;
  },
};
