// The view of a file: it is encoded, chunks of it are lost, and rebuilt by the equations of the code, in memory.
import { Compiler, Stopped } from "./compiler.js";
import { byId, bytesText, counted, escaped, listed, showSentence } from "./dom.js";
import { lostOf, sayLoss, showChips } from "./chips.js";
import { term } from "./glossary.js";
import { quoted, quotedPath, takeaway } from "./takeaway.js";

const LONGEST_NAME = 255; // bytes that file systems take

// A trial has a worker of its own: ending it leaves the other one's answers alone.
const trier = new Compiler();
let file = null;
let shown = null; // {code, matrix, compiler}
let number = 0; // of the last trial

function showRunning(isRunning) {
  if (!isRunning && document.activeElement === byId("trial-stop")) byId("file").focus();
  byId("trial-stop").hidden = byId("trial-part").hidden = !isRunning;
  byId("trial-part").value = 0;
}

function stop() {
  number += 1;
  trier.stop();
  if (byId("trial-stop")) showRunning(false);
}

function showResult(found, lost, matrix) {
  const back = !file.size ? `✓ ${escaped(file.name)} is empty: it has no byte to lose.`
    : lost.length ? `✓ Every byte is back: ${escaped(file.name)}, ${bytesText(file.size)}.` : `✓ Encoded: ${escaped(file.name)}, ${bytesText(file.size)}.`;
  const verdict = found.wrong === 0
    ? `<p class="good">${back}</p>`
    : `<p class="error" role="alert">${counted(found.wrong, "byte")} differ. This is a bug of this page: please report it.</p>`;
  const losses = lost.length
    ? `Lost: ${lost.length === 1 ? "chunk" : "chunks"} ${listed(lost, 20)}, ${bytesText(found.rebuiltBytes)}. To rebuild ${lost.length === 1 ? "it" : "them"}, ${bytesText(found.readBytes)} were read.`
    : "Nothing is lost. Click a chunk to lose it.";
  const sizes = !file.size ? "" : `<p>${matrix.locations} chunks of ${bytesText(found.chunkBytes)}, in ${found.stripes.toLocaleString("en")} ${term("stripe", found.stripes === 1 ? "stripe" : "stripes")}. ${losses}</p>`;
  byId("file-result").innerHTML = `${verdict}${sizes}
    <p class="quiet">The bytes stayed in this page, and the page keeps nothing after you close it. The program's files have other sizes: it fills chunks up to whole packets or words, and adds a header and checksums.</p>`;
}

// The name of the rebuilt file: a name that is long already gets no longer.
function rebuiltName(name) {
  const all = `rebuilt-${name}`;
  return new TextEncoder().encode(all).length <= LONGEST_NAME ? all : `rebuilt${name.match(/\.[^.]{1,16}$/) ?? ""}`;
}

// Encodes into a new folder, deletes what is lost, and decodes. Numbers of shards have as many digits as the last one.
function commands(code, lost, matrix) {
  const digits = String(matrix.locations - 1).length;
  const shard = chunk => `"$shards"/*-${String(chunk).padStart(digits, "0")}.shard`;
  const lines = ["shards=$(mktemp -d shards-XXXX)", `xorloom encode ${quotedPath(file.name)} -o "$shards" --code ${quoted(code)}`];
  if (lost.length) lines.push(`rm ${lost.map(shard).join(" ")}`, `xorloom decode "$shards" -o ${quotedPath(rebuiltName(file.name))}`);
  return lines.join("\n");
}

async function tryIt() {
  stop();
  byId("file-takeaway").innerHTML = "";
  if (!file || !shown) return;
  const own = number;
  const {code, matrix, compiler} = shown;
  const lost = lostOf(matrix);
  showSentence(byId("file-result"), "Encoding, losing and rebuilding …");
  showRunning(true);
  try {
    const encode = await compiler.json({ask: "equations", code});
    const decode = lost.length ? await compiler.json({ask: "equations", code, erase: lost, reads: "min"}) : null;
    if (own !== number) return;
    const found = await trier.tryFile({file, encode, decode, lost}, {onPart: part => (byId("trial-part").value = part)});
    if (own !== number) return;
    showResult(found, lost, matrix);
    takeaway(byId("file-takeaway"), commands(code, lost, matrix), {});
  } catch (error) {
    if (own !== number || error instanceof Stopped) return;
    showRunning(false);
    await sayLoss(error.message, lost, matrix, sentence => own === number && showSentence(byId("file-result"), sentence, true));
  } finally {
    if (own === number) showRunning(false);
  }
}

const nameFile = () => (byId("file-name").textContent = file ? `The file is ${file.name}. Drop another one here, or choose it.` : "Drop a file here, or choose one. It stays in this page, and may have any size.");

function take(files) {
  file = files?.[0] ?? null;
  nameFile();
  void tryIt();
}

export const fileView = {
  start(view) {
    view.innerHTML = `<p class="how">The page cuts a file into data chunks, computes the redundant ones, loses those that you click, rebuilds them and compares every byte.</p>
      <label class="drop" id="drop"><input type="file" id="file"><span id="file-name"></span></label>
      <h2>Chunks to lose</h2><div class="chips" id="file-chips" role="group" aria-label="Chunks to lose"></div>
      <div class="controls trial"><progress id="trial-part" class="on" max="1" value="0" aria-label="Part of the file" hidden></progress>
      <button type="button" id="trial-stop" hidden>Stop</button></div>
      <div id="file-result" aria-live="polite"></div><div class="takeaway" id="file-takeaway"></div>`;
    nameFile();
    byId("file").addEventListener("change", event => take(event.target.files));
    byId("trial-stop").addEventListener("click", () => {
      stop();
      showSentence(byId("file-result"), "Stopped.");
    });
    const drop = byId("drop");
    for (const kind of ["dragover", "dragleave", "drop"]) {
      drop.addEventListener(kind, event => {
        event.preventDefault();
        drop.classList.toggle("over", kind === "dragover");
        if (kind !== "drop") return;
        byId("file").value = ""; // it would name the file before
        take(event.dataTransfer.files);
      });
    }
  },

  async show(code, matrix, compiler) {
    shown = {code, matrix, compiler};
    showChips(byId("file-chips"), matrix);
    byId("view").dataset.shown = code;
    if (file) await tryIt();
  },

  hide: stop,
};
