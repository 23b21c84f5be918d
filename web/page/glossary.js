// Words that are explained where they stand, in the sentences of docs/glossary.md.
import { byId, escaped, raised } from "./dom.js";

let shown = null;
let isPinned = false; // by a click: then it stays when the pointer leaves

// A word of the glossary as a button; `text` is what it reads as, and `here` what it is at this place.
export const term = (word, text = word, here = "") =>
  `<button type="button" class="term" data-term="${escaped(word)}" data-here="${escaped(here)}" aria-expanded="false">${escaped(text)}</button>`;

// HTML in which some words, by what they read as, are such buttons, each where it is met first.
export function explained(html, terms) {
  const seen = new Set();
  return html.replace(new RegExp(`(?<![<&/\\w-])(?:${Object.keys(terms).join("|")})(?![\\w-])`, "g"), word => (seen.has(word) ? word : (seen.add(word), terms[word])));
}

function hide() {
  shown?.setAttribute("aria-expanded", "false");
  shown?.removeAttribute("aria-describedby");
  shown = null;
  isPinned = false;
  byId("meaning").hidden = true;
}

function show(button, meanings) {
  if (button === shown) return;
  hide();
  shown = button;
  const box = byId("meaning");
  const {term: word, here} = button.dataset;
  box.innerHTML = `<b>${escaped(word)}</b>: ${raised(escaped(`${meanings[word]}.${here ? ` Here${here.includes(": ") ? "" : ":"} ${here}.` : ""}`))}`;
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
    if (!button || (button === shown && isPinned)) return hide();
    show(button, meanings);
    isPinned = true;
  });
  document.addEventListener("pointerover", event => {
    const button = event.target.closest(".term");
    if (button && event.pointerType === "mouse") return show(button, meanings);
    if (shown && !isPinned && shown !== document.activeElement && !event.target.closest("#meaning")) hide();
  });
  document.addEventListener("focusin", event => event.target.matches(".term") && show(event.target, meanings));
  document.addEventListener("focusout", event => event.target === shown && hide());
  document.addEventListener("keydown", event => event.key === "Escape" && hide());
}
