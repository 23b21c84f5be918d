// Words that are explained where they stand, in the sentences of docs/glossary.md.
import { byId, escaped } from "./dom.js";

const INKLESS = "term";
let shown = null;

// A word of the glossary as a button; `text` is what it reads as here.
export const term = (word, text = word) =>
  `<button type="button" class="${INKLESS}" data-term="${escaped(word)}" aria-expanded="false">${escaped(text)}</button>`;

function hide() {
  shown?.setAttribute("aria-expanded", "false");
  shown?.removeAttribute("aria-describedby");
  shown = null;
  byId("meaning").hidden = true;
}

function show(button, meanings) {
  hide();
  shown = button;
  const box = byId("meaning");
  box.innerHTML = `<b>${escaped(button.dataset.term)}</b>: ${escaped(meanings[button.dataset.term])}`;
  box.hidden = false;
  const place = button.getBoundingClientRect();
  const left = Math.max(8, Math.min(place.left, innerWidth - box.offsetWidth - 8));
  const below = place.bottom + 6 + box.offsetHeight < innerHeight;
  box.style.left = `${left + scrollX}px`;
  box.style.top = `${(below ? place.bottom + 6 : place.top - box.offsetHeight - 6) + scrollY}px`;
  button.setAttribute("aria-expanded", "true");
  button.setAttribute("aria-describedby", "meaning");
}

export function startGlossary() {
  const meanings = JSON.parse(byId("glossary").textContent);
  document.addEventListener("click", event => {
    const button = event.target.closest(".term");
    if (!button || button === shown) hide();
    else show(button, meanings);
  });
  document.addEventListener("keydown", event => event.key === "Escape" && hide());
}
