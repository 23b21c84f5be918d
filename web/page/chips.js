// The locations of a stripe as buttons: pressed ones are lost.
import { change, state } from "./state.js";

const MOST_CHIPS = 64;

const holdsData = (matrix, location) => matrix.inputs.some(one => Math.floor(one / matrix.rows_of_location) === location);
const holdsRedundancy = (matrix, location) => matrix.outputs.some(one => Math.floor(one / matrix.rows_of_location) === location);

// Those of the lost locations of the state that the code has.
export const lostOf = matrix => state.lost.filter(location => location < matrix.locations);

export function showChips(place, matrix) {
  const focused = document.activeElement?.dataset?.location;
  const lost = lostOf(matrix);
  const chips = Array.from({length: Math.min(matrix.locations, MOST_CHIPS)}, (_, location) => {
    const kind = holdsData(matrix, location) ? (holdsRedundancy(matrix, location) ? "data and redundancy" : "data") : "redundancy";
    const isLost = lost.includes(location);
    return `<button type="button" class="chip ${kind === "redundancy" ? "redundant" : "data"}" data-location="${location}"
      aria-pressed="${isLost}" title="location ${location}: ${kind}"><b>${location}</b><small>${isLost ? "lost" : kind.replace(" and redundancy", "+")}</small></button>`;
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
