// Equations as lists that one can read: each element a word, temporaries in the color of their number.
import { counted, listed } from "./dom.js";

const MOST_SHOWN = 300;
const MOST_NAMED = 8;
const INKS = 8;

// The name of an element, as in a terminal: its number, or a letter for a temporary.
export function elementName(document, element) {
  const cells = document.locations * document.rows;
  if (element < cells) return String(element);
  return element - cells < 26 ? String.fromCharCode(65 + element - cells) : `T${element - cells}`;
}

function placeOf(document, element) {
  const isOutput = document.outputs.includes(element);
  if (!document.code) return isOutput ? "an output" : "an input";
  const isRepair = Boolean(document.reads);
  const role = isOutput ? (isRepair ? "rebuilt" : "computed") : document.inputs.includes(element) ? (isRepair ? "read" : "data") : "left alone";
  return `row ${element % document.rows} of chunk ${Math.floor(element / document.rows)}, ${role}`;
}

// What an element is, in words: where it is, or what it is made of, and what reads it.
export function elementMeaning(document, element) {
  const name = elementName(document, element);
  const made = document.equations.find(({target}) => target === element);
  const readers = document.equations.filter(({xor}) => xor.includes(element)).map(({target}) => elementName(document, target));
  const used = readers.length ? `; used by ${listed(readers, MOST_NAMED)}` : "";
  if (element < document.locations * document.rows) return `${name} is ${placeOf(document, element)}${used}.`;
  const sum = made.xor.length > MOST_NAMED ? `the sum of ${made.xor.length}` : made.xor.map(one => elementName(document, one)).join(" ⊕ ");
  return `${name} = ${sum}, made once${used}.`;
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
  // A 0 would be element 0.
  const sum = xor.length ? xor.map(operand => word(document, operand, reused)).join(" ⊕ ") : '<i class="quiet">nothing (always zero)</i>';
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
    ? `<li><button type="button" class="more">Show ${counted(more, "more equation")}</button></li>` : "";
  return `<ol class="equations" tabindex="0" aria-label="Equations">${shown.map(one => item(document, one, reused)).join("")}${button}</ol>`;
}

// The word that an arrow key leads to from the word `at` of a list: the next, or the first of the next equation.
function neighborOf(list, at, key) {
  const words = [...list.querySelectorAll("[data-e]")];
  if (!list.contains(at)) return words[0];
  if (key === "ArrowRight") return words[words.indexOf(at) + 1];
  if (key === "ArrowLeft") return words[words.indexOf(at) - 1];
  const item = at.closest("li");
  return (key === "ArrowDown" ? item.nextElementSibling : item.previousElementSibling)?.querySelector("[data-e]");
}

// Follows lists within a place: lights up every place of an element that is pointed at, or that arrow keys lead to, and
// says in `note` what it is, by `meaningOf`; shows the rest of a long list.
export function followElements(place, documentOf, note, meaningOf = elementMeaning) {
  place.addEventListener("click", event => {
    const more = event.target.closest(".more");
    if (!more) return;
    const before = more.closest(".equations");
    before.insertAdjacentHTML("afterend", equationList(documentOf(more), Infinity));
    const [after, hadFocus, top] = [before.nextElementSibling, document.activeElement === more, before.scrollTop];
    before.remove();
    after.scrollTop = top;
    if (hadFocus) after.focus({preventScroll: true});
  });
  let at = null;
  function light(found) {
    at = found;
    const element = found?.dataset.e;
    for (const one of place.querySelectorAll(".lit")) one.classList.remove("lit");
    if (!found) return;
    for (const one of place.querySelectorAll(`[data-e="${element}"]`)) one.classList.add("lit");
    const made = documentOf(found);
    if (made) note.textContent = meaningOf(made, Number(element));
  }
  place.addEventListener("pointerover", event => {
    const found = event.target.closest("[data-e]");
    if (found !== at) light(found);
  });
  place.addEventListener("keydown", event => {
    if (!event.key.startsWith("Arrow") || !event.target.matches(".equations, .steps")) return;
    event.preventDefault();
    const found = neighborOf(event.target, at, event.key);
    if (!found) return;
    light(found);
    found.scrollIntoView({block: "nearest"});
  });
}
