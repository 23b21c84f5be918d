// What one takes away: files, and the command that gives the same in a terminal.
import { PATIENCE, escaped, raised } from "./dom.js";

export function download(name, text, type = "text/plain") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Copies a text; false if the browser does not allow it. A page that comes by http from another machine has no clipboard.
export const copied = text => Promise.resolve(navigator.clipboard?.writeText(text).then(() => true, () => false) ?? false);

// A name for a file about a code: cauchy-good-k10-m4-w8-encode.c.
export const fileName = (spec, what) =>
  `${spec.replace(/packet_bytes=\d+/, "").replace(/[^A-Za-z0-9]+/g, "-").replace(/-+$/, "").slice(0, 80)}-${what}`;

// Why there is no source for a code, or nothing.
export const noSource = matrix => (matrix.source_over ? "" : "No C: symbols of this code lie in planes. With arrangement=packet in the spec there is C.");

// What the source of a code on words computes, as it is not what the page shows.
export const sourceNote = matrix => (matrix.source_over === "symbols" ? `C: sums of products in GF(2^${matrix.symbol_bits}), on words; not these equations, which are over bits.` : "");

// What a shell takes as one word.
export const quoted = word => (/^[A-Za-z0-9_.,:+/-][A-Za-z0-9_.,:=+/-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

// The command for the equations of a code over its symbols, which have no bound.
export const overSymbols = code => `xorloom equations ${quoted(code)} --over symbols`;

// The path of a file in this folder as one word, which is no option.
export const quotedPath = name => quoted(name.startsWith("-") ? `./${name}` : name);

// An option is on one line with its dashes and a short value.
const unbroken = line => line.replace(/(?<= )-[a-z-]+( [\w.,]{1,12}(?= |$))?/g, option => `<i>${option}</i>`);

// The head of a command that gives the same, or, if a search was stopped, of the whole search.
export const headOf = isStopped => (isStopped ? "In a terminal: the whole search, which may find fewer XORs" : "The same in a terminal");

// The row of a view with its command, one line or several, and its files: `files` maps a label to a function that gives
// [name, text, type], or to the sentence that says why there is no such file. `note` says what is to know of the files.
export function takeaway(place, command, files, {head = headOf(false), note = ""} = {}) {
  const isFile = label => typeof files[label] === "function";
  const buttons = Object.keys(files).filter(isFile)
    .map(label => `<button type="button" data-file="${escaped(label)}">${escaped(label)}</button>`)
    .join("");
  const sentences = Object.keys(files).filter(label => !isFile(label)).map(label => files[label]);
  place.innerHTML =
    `<h2>${head}</h2><div class="command"><code tabindex="0">${command.split("\n").map(line => `<span>${unbroken(escaped(line))}</span>`).join("\n")}</code>` +
    `<button type="button" data-copy>Copy</button></div><div class="files"><span>Download</span>${buttons}</div>` +
    [...sentences, note].filter(Boolean).map(one => `<p class="quiet small">${raised(escaped(one))}</p>`).join("") +
    `<p class="said" role="status"></p>`;
  const said = place.querySelector(".said");
  place.onclick = async event => {
    const button = event.target.closest("button");
    if (!button) return;
    const waiting = setTimeout(() => (said.textContent = "Making the file …"), PATIENCE);
    try {
      if ("copy" in button.dataset) {
        said.textContent = await copied(command) ? "Copied." : "The browser does not allow it: select the command and copy it.";
      } else {
        download(...(await files[button.dataset.file]()));
        said.textContent = "";
      }
    } catch (error) {
      said.textContent = error.message;
    } finally {
      clearTimeout(waiting);
    }
  };
}
