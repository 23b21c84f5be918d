// Equations as lists that one can read: each element a word, temporaries in the color of their number.
import { counted, listed } from "./dom.js";

const MOST_SHOWN = 300;
const MOST_NAMED = 6;
const INKS = 8;

// What inputs are, and outputs.
const [ENCODING, REPAIR, UNKNOWN] = [["data", "computed"], ["read", "rebuilt"], ["an input", "an output"]];

// The same of equations that someone wrote for a code: of a repair, if an input is not data, or an output is. `matrix` is
// that of the code, or null. Equations over symbols have fewer rows than it.
export function rolesOf({inputs, outputs, rows}, matrix) {
  if (!matrix) return UNKNOWN;
  const data = new Set(matrix.inputs.map(element => Math.floor((element * rows) / matrix.rows_of_location)));
  const isData = side => data.has(side.id ?? side);
  return inputs.every(isData) && !outputs.some(isData) ? ENCODING : REPAIR;
}

const PREFIXES = {difference: "d", old: "old", updated: "new"}; // of names of virtual elements
const layouts = new WeakMap(); // by document

// The number of cells, the virtual elements after them by number, and the number of the first temporary.
function layoutOf(document) {
  if (!layouts.has(document)) {
    const cells = document.locations * document.rows;
    const virtuals = new Map([...document.inputs, ...document.outputs].filter(side => side.kind).map(side => [side.id, side]));
    layouts.set(document, {cells, virtuals, first: cells + virtuals.size});
  }
  return layouts.get(document);
}

export const isTemporary = (document, element) => element >= layoutOf(document).first;

// The numbers of the elements of a list of inputs or outputs.
const elementsOf = sides => sides.map(side => side.id ?? side);

// The elements that an equation adds: over bits, or over symbols each with a coefficient.
export const operandsOf = ({xor, sum}) => xor ?? sum.map(([, element]) => element);

// The name of an element, as in a terminal: its number, d6, old15 or new15 for what changes, or a letter for a temporary.
export function elementName(document, element) {
  const {virtuals, first} = layoutOf(document);
  if (element >= first) return element - first < 26 ? String.fromCharCode(65 + element - first) : `T${element - first}`;
  const about = virtuals.get(element);
  return about ? PREFIXES[about.kind] + about.element : String(element);
}

function placeOf(document, element) {
  const about = layoutOf(document).virtuals.get(element);
  if (about) {
    const place = `row ${about.element % document.rows} of chunk ${Math.floor(about.element / document.rows)}`;
    return {difference: `the old ⊕ the new content of ${place}`, old: `the old content of ${place}`, updated: `the new content of ${place}`}[about.kind];
  }
  const isOutput = elementsOf(document.outputs).includes(element);
  if (!document.code) return isOutput ? "an output" : "an input";
  const [input, output] = document.roles ?? (document.reads ? REPAIR : ENCODING);
  const role = isOutput ? output : elementsOf(document.inputs).includes(element) ? input : "left alone";
  return `row ${element % document.rows} of chunk ${Math.floor(element / document.rows)}, ${role}`;
}

// What an element is, in words: where it is, or what it is made of, and what reads it.
export function elementMeaning(document, element) {
  const name = elementName(document, element);
  const made = document.equations.find(({target}) => target === element);
  const readers = document.equations.filter(one => operandsOf(one).includes(element)).map(({target}) => elementName(document, target));
  const used = readers.length ? `; used by ${listed(readers, MOST_NAMED)}` : "";
  if (!isTemporary(document, element)) return `${name} is ${placeOf(document, element)}${used}.`;
  const sum = operandsOf(made).length > MOST_NAMED ? `the sum of ${operandsOf(made).length}` : termsOf(made).map(([coefficient, one]) => coefficient + elementName(document, one)).join(" ⊕ ");
  return `${name} = ${sum}, made once${used}.`;
}

// The terms of an equation: what is written before each operand, and the operand.
const termsOf = ({xor, sum}) => xor?.map(element => ["", element]) ?? sum.map(([coefficient, element]) => [coefficient === 1 ? "" : `0x${coefficient.toString(16)}·`, element]);

const inkOf = (document, element) => (isTemporary(document, element) ? ` ink${(element - layoutOf(document).first) % INKS}` : "");

function word(document, element, reused) {
  const kind = reused.has(element) && !isTemporary(document, element) ? " reused" : "";
  return `<span class="e${inkOf(document, element)}${kind}" data-e="${element}">${elementName(document, element)}</span>`;
}

function item(document, equation, reused) {
  // A 0 would be element 0.
  const terms = termsOf(equation).map(([coefficient, operand]) => coefficient + word(document, operand, reused));
  const sum = terms.length ? terms.join(" ⊕ ") : '<i class="quiet">nothing (always zero)</i>';
  return `<li>${word(document, equation.target, reused)} = ${sum}</li>`;
}

// The XORs of equations.
export const xorsOf = document => document.cost.xors;

// What equations take: XORs, and over symbols multiplications.
export const workText = ({cost}) => counted(cost.xors, "XOR") + (cost.multiplications ? ` and ${counted(cost.multiplications, "multiplication")}` : "");

// The equations as a list; `most` of them, with a button for the others.
export function equationList(document, most = MOST_SHOWN) {
  const targets = new Set(document.equations.map(({target}) => target));
  const reused = new Set(document.equations.flatMap(operandsOf).filter(operand => targets.has(operand)));
  const shown = document.equations.slice(0, most);
  const more = document.equations.length - shown.length;
  const button = more
    ? `<li><button type="button" class="more">Show ${counted(more, "more equation")}</button></li>` : "";
  return `<ol class="equations" tabindex="0" aria-label="Equations">${shown.map(one => item(document, one, reused)).join("")}${button}</ol>`;
}

// The word that an arrow key leads to from the word `at` of a list: the next word, or the first word
// of the next equation. A core that waits has no word.
function neighborOf(list, at, key) {
  const words = [...list.querySelectorAll("[data-e]")];
  if (!list.contains(at)) return words[0];
  if (key === "ArrowRight") return words[words.indexOf(at) + 1];
  if (key === "ArrowLeft") return words[words.indexOf(at) - 1];
  const items = [...list.querySelectorAll("li:has([data-e])")];
  return items[items.indexOf(at.closest("li")) + (key === "ArrowDown" ? 1 : -1)]?.querySelector("[data-e]");
}

// Follows lists within a place: lights up every place of an element that is pointed at, or that arrow keys lead to, frames
// that one, and says in `note` what it is, by `meaningOf`; shows the rest of a long list.
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
    for (const one of place.querySelectorAll(".lit")) one.classList.remove("lit", "at");
    if (!found) return;
    found.classList.add("at");
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
