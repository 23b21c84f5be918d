// Equations as lists that one can read: each element a word, temporaries in the color of their number.
import { counted } from "./dom.js";

const MOST_SHOWN = 300;
const INKS = 8;

// The name of an element, as in a terminal: its number, or a letter for a temporary.
export function elementName(document, element) {
  const cells = document.locations * document.rows;
  if (element < cells) return String(element);
  return element - cells < 26 ? String.fromCharCode(65 + element - cells) : `T${element - cells}`;
}

// What an element is, in words.
export function elementMeaning(document, element) {
  const cells = document.locations * document.rows;
  if (element >= cells) return `temporary ${elementName(document, element)}`;
  const kind = document.outputs.includes(element) ? ", computed" : "";
  return `element ${element}: location ${Math.floor(element / document.rows)}, row ${element % document.rows}${kind}`;
}

export const inkOf = (document, element) => {
  const cells = document.locations * document.rows;
  return element < cells ? "" : ` ink${(element - cells) % INKS}`;
};

function word(document, element, reused) {
  const kind = reused.has(element) && element < document.locations * document.rows ? " reused" : "";
  return `<span class="e${inkOf(document, element)}${kind}" data-e="${element}">${elementName(document, element)}</span>`;
}

function item(document, {target, xor}, reused) {
  const sum = xor.length ? xor.map(operand => word(document, operand, reused)).join(" ⊕ ") : "0";
  return `<li>${word(document, target, reused)} = ${sum}</li>`;
}

// The XORs of equations.
export const xorsOf = document => document.cost.xors;

// The equations as a list; `most` of them, with a button for the others.
export function equationList(document, most = MOST_SHOWN) {
  const targets = new Set(document.equations.map(({target}) => target));
  const reused = new Set(document.equations.flatMap(({xor}) => xor).filter(operand => targets.has(operand)));
  const shown = document.equations.slice(0, most);
  const more = document.equations.length - shown.length;
  const button = more
    ? `<button type="button" class="more">Show ${counted(more, "more equation")}</button>` : "";
  return `<ol class="equations" tabindex="0" aria-label="Equations">${shown.map(one => item(document, one, reused)).join("")}</ol>${button}`;
}

// Lights up every place of an element that is pointed at, and says what it is in `note`.
export function followElements(place, documentOf, note) {
  let lit = "";
  place.addEventListener("pointerover", event => {
    const found = event.target.closest("[data-e]");
    const element = found ? found.dataset.e : "";
    if (element === lit) return;
    lit = element;
    for (const one of place.querySelectorAll(".lit")) one.classList.remove("lit");
    if (!found) return;
    for (const one of place.querySelectorAll(`[data-e="${element}"]`)) one.classList.add("lit");
    const document = documentOf(found);
    if (document) note.textContent = elementMeaning(document, Number(element));
  });
}
