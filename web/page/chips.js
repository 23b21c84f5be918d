// The chunks of a stripe as buttons: pressed ones are lost.
import { PATIENCE, counted, listed } from "./dom.js";
import { change, state } from "./state.js";

const MOST_LARGE = 48; // chips with words in them

// What a chunk holds.
export function kindOf(matrix, chunk) {
  const isIn = element => Math.floor(element / matrix.rows_of_location) === chunk;
  if (!matrix.inputs.some(isIn)) return "redundant";
  return matrix.outputs.some(isIn) ? "data and redundant" : "data";
}

// The lost chunks of the state, as far as the code has them.
export const lostOf = matrix => state.lost.filter(location => location < matrix.locations);

// Which lost chunks of the state the code does not have.
export function absentText(matrix) {
  const absent = state.lost.filter(location => location >= matrix.locations);
  return absent.length ? ` The code has no ${absent.length === 1 ? "chunk" : "chunks"} ${listed(absent)}.` : "";
}

// Says a refusal in the words of the page: which chunks cannot be rebuilt, and what the code survives. While that is not
// known, says what the code promises.
export async function sayLoss(message, lost, matrix, say) {
  if (!message.includes("cannot be rebuilt")) return say(message);
  const promised = Number(message.match(/any (\d+) loss/)?.[1] ?? 0);
  const sentence = survives => `${lost.length === 1 ? "Chunk" : "Chunks"} ${listed(lost, 20)} cannot be rebuilt: this code ${survives}, and ${counted(lost.length, "chunk is", "chunks are")} lost.`;
  const losses = number => `any ${counted(number, "loss", "losses")}`;
  const early = await Promise.race([matrix.mostLosses, new Promise(resolve => setTimeout(resolve, PATIENCE))]);
  if (!early) await say(sentence(`promises to survive ${losses(promised)}`));
  const most = early ?? await matrix.mostLosses;
  if (most) await say(sentence(`survives ${losses(most)}`));
}

export function showChips(place, matrix) {
  const focused = document.activeElement?.dataset?.location;
  const lost = lostOf(matrix);
  const isLarge = matrix.locations <= MOST_LARGE;
  place.classList.toggle("many", !isLarge);
  const chips = Array.from({length: matrix.locations}, (_, location) => {
    const kind = kindOf(matrix, location);
    const isLost = lost.includes(location);
    const words = isLarge ? `<small>${isLost ? "lost" : kind}</small>` : "";
    return `<button type="button" class="chip ${kind === "redundant" ? "redundant" : "data"}" data-location="${location}" aria-pressed="${isLost}"
      title="chunk ${location}: ${kind}" aria-label="chunk ${location}, ${isLost ? "lost" : kind}"><b>${location}</b>${words}</button>`;
  });
  place.innerHTML = chips.join("");
  if (focused !== undefined) place.querySelector(`[data-location="${focused}"]`)?.focus();
  place.onclick = event => {
    const chip = event.target.closest(".chip");
    if (!chip) return;
    const location = Number(chip.dataset.location);
    const now = lostOf(matrix);
    const next = now.includes(location) ? now.filter(one => one !== location) : [...now, location];
    change({lost: next.sort((a, b) => a - b)});
  };
}
