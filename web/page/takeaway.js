// What one takes away: files, and the command that gives the same in a terminal.
import { escaped } from "./dom.js";

export function download(name, text, type = "text/plain") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// A name for a file about a code: cauchy-good-k10-m4-w8-encode.c.
export const fileName = (spec, what) =>
  `${spec.replace(/packet_bytes=\d+/, "").replace(/[^A-Za-z0-9]+/g, "-").replace(/-+$/, "").slice(0, 80)}-${what}`;

// What a shell takes as one word.
export const quoted = word => (/^[A-Za-z0-9_.,:=+/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

// An option is on one line with its dashes.
const unbroken = line => line.replace(/(?<= )-[a-z-]+/g, option => `<i>${option}</i>`);

// The row of a view with its command, one line or several, and its files: `files` maps a label to a function that gives
// [name, text, type].
export function takeaway(place, command, files, head = "The same in a terminal") {
  const buttons = Object.keys(files)
    .map(label => `<button type="button" data-file="${escaped(label)}">${escaped(label)}</button>`)
    .join("");
  place.innerHTML =
    `<h2>${head}</h2><div class="command"><code tabindex="0">${command.split("\n").map(line => `<span>${unbroken(escaped(line))}</span>`).join("\n")}</code>` +
    `<button type="button" data-copy>Copy</button></div><div class="files"><span>Download</span>${buttons}</div>` +
    `<p class="said" role="status"></p>`;
  const said = place.querySelector(".said");
  place.onclick = async event => {
    const button = event.target.closest("button");
    if (!button) return;
    try {
      if ("copy" in button.dataset) {
        await navigator.clipboard.writeText(command);
        said.textContent = "Copied.";
      } else {
        download(...(await files[button.dataset.file]()));
        said.textContent = "";
      }
    } catch (error) {
      said.textContent = error.message || "The browser does not allow it.";
    }
  };
}
