// The choice of a code: a family, and a slider for each number that its spec has.
import { Compiler, Stopped } from "./compiler.js";
import { byId, counted, escaped, latest, raised, ratio } from "./dom.js";
import { explained, term } from "./glossary.js";
import { showLead } from "./lead.js";
import { change, state } from "./state.js";
import { copied } from "./takeaway.js";

const MOST_NUMBER = 128; // kMaxPageNumber

// Where sliders end. The number beside a slider may be larger: then the library says what it thinks of it.
const ENDS = {k: [1, 32], m: [1, 8], w: [2, 16], p: [3, 31], r: [1, 8], v: [0, 8], h: [0, 8], c: [1, 8], l: [1, 16], d: [1, 40]};
const HINTS = {
  k: "data chunks", m: "redundant chunks", w: "bits of a symbol", p: "a prime: p - 1 rows", l: "chunks read to rebuild one", d: "chunks read to rebuild one",
  c: "losses promised to survive", r: "rows of data", v: "redundant rows", h: "redundant chunks",
};
// What numbers are in some families, and the values that they may have.
const OWN_HINTS = {
  "x-code": {p: "a prime: p rows"}, zigzag: {r: "losses survived"}, liberation: {w: "a prime: w rows"}, "blaum-roth": {w: "w + 1 a prime: w rows"}, liber8tion: {w: "rows"},
  lrc: {m: "global redundant chunks"}, hover: {k: "chunks with data", r: "rows of data in each", v: "redundant rows in each"},
};
const PRIMES = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31];
const WORDS = [4, 8, 16, 32];
const VALUES = {
  rs: {w: WORDS}, raid6: {w: WORDS}, "rs-poly": {w: [4, 8, 16]}, leopard: {w: [8, 16]}, zigzag: {r: [2, 3, 4], w: WORDS},
  liberation: {w: PRIMES}, "blaum-roth": {w: PRIMES.slice(1).map(prime => prime - 1)}, liber8tion: {w: [8]},
  evenodd: {p: PRIMES}, rdp: {p: PRIMES}, "x-code": {p: PRIMES}, lrc: {l: sizesOfGroups},
};
// The chunks read to rebuild one, by the other numbers: groups share the data and the redundant chunks evenly.
function sizesOfGroups({k, m}) {
  const groups = Array.from({length: MOST_NUMBER}, (_, i) => MOST_NUMBER - i).filter(one => k % one === 0 && m % one === 0);
  return groups.length ? groups.map(one => (Number(k) + Number(m)) / one) : undefined;
}

const GROUPS = {
  "Any losses": ["cauchy-good", "cauchy", "rs", "rs-poly", "isa-cauchy", "isa-vandermonde", "leopard"],
  "Any two losses": ["raid6", "liberation", "blaum-roth", "liber8tion", "evenodd", "rdp", "x-code"],
  "Cheap repair": ["lrc", "shec", "clay", "zigzag"],
};
// Words of summaries and of hints that the glossary explains.
const HINTED = {symbol: term("symbol"), global: term("global")};
const TERMS = {
  packets: term("packet", "packets"), words: term("word", "words"), bitmatrix: term("bitmatrix"), location: term("location"), locations: term("location", "locations"),
  "sub-chunks": term("sub-chunk", "sub-chunks"), symbols: term("symbol", "symbols"), rows: term("row", "rows"), chunk: term("chunk"), "Reed-Solomon": term("Reed-Solomon"),
  "Vandermonde matrix": term("Vandermonde matrix"), "primitive element": term("primitive element"), "Cantor basis": term("Cantor basis"), "RAID-6": term("RAID-6"),
  "minimal density": term("minimal density"), systematic: term("systematic"),
};
// What the formula of a summary is.
const FACTOR = "That is the factor of data chunk j in redundant chunk i, both counted from 0.";
const NOTES = {
  cauchy: `${FACTOR} A spec has the points x and y, different numbers below 2^w, with + between them: x=1+2.`,
  "isa-cauchy": FACTOR, "isa-vandermonde": FACTOR,
};

let families = [];
let compiler = null;
let onCode = null;
let needed = null; // {key, message}: a number that the spec lacks, and the library's sentence
let leftOut = []; // keys of the spec that a number took out of it
let good = ""; // the last code that was not refused
let formed = ""; // the last spec that has a family: sliders change its numbers
// Whether a code survives what it promises may take seconds: that has a worker of its own.
const decider = new Compiler();
const isLast = latest();

// {family, values} of a spec, with k, m and w before numbers without keys.
export function parsedSpec(spec) {
  const at = spec.indexOf(":");
  const values = {};
  (at < 0 ? [] : spec.slice(at + 1).split(",")).filter(Boolean).forEach((part, i) => {
    const equal = part.indexOf("=");
    if (equal < 0) values[["k", "m", "w"][i] ?? part] = part;
    else values[part.slice(0, equal)] = part.slice(equal + 1);
  });
  return {family: at < 0 ? spec : spec.slice(0, at), values};
}

const specOf = (family, values) =>
  `${family}:${Object.entries(values).map(([key, value]) => `${key}=${value}`).join(",")}`;

const isWhole = text => /^\d+$/.test(text);

// The values that a number may have, or nothing where it may have all between its ends.
function valuesOf(family, key, values) {
  const all = VALUES[family]?.[key];
  if (typeof all === "function") return all(values);
  return values.arrangement === "packet" ? undefined : all;
}

function slider(family, key, values) {
  const value = values[key] ?? "";
  const hint = OWN_HINTS[family]?.[key] ?? HINTS[key];
  const steps = valuesOf(family, key, values);
  const [least, most] = steps ? [0, steps.length - 1] : ENDS[key];
  const at = steps ? Math.max(0, steps.filter(one => one <= value).length - 1) : isWhole(value) ? value : least;
  const end = steps ? most : Math.max(most, Math.min(at, 64));
  return `<div class="slider" data-of="${key}"><div class="name"><label for="at-${key}"><b>${key}</b></label> <small>${explained(hint, HINTED)}</small></div>
    <input type="range" id="at-${key}" data-key="${key}" aria-label="${key}, ${hint}" aria-valuetext="${escaped(value || "auto")}" min="${least}" max="${end}" value="${at}">
    <input type="number" data-key="${key}" aria-label="${key}, ${hint}" min="${steps ? steps[0] : least}" value="${/^-?\d+$/.test(value) ? value : ""}" placeholder="auto" aria-describedby="wrong-${key}"><p class="wrong error" id="wrong-${key}" role="alert"></p></div>`;
}

function sliders(family, values) {
  const keys = (families.find(one => one.name === family)?.keys ?? "").split(" ");
  return keys.filter(key => key in ENDS).map(key => slider(family, key, values)).join("");
}

// Says beside the box of a number what is wrong with it, or nothing.
function sayWrong(key, sentence) {
  const place = byId(`wrong-${key}`);
  if (!place) return;
  place.textContent = sentence;
  place.closest(".slider").querySelector("input[type=number]").setAttribute("aria-invalid", Boolean(sentence));
}

// Says beside the box of a number that the spec lacks that it is needed, or what is wrong with what is there.
function sayNeeded() {
  const {key, message} = needed;
  const box = byId(`wrong-${key}`)?.closest(".slider").querySelector("input[type=number]");
  if (!box) return;
  const wrong = wrongText(box);
  sayWrong(key, wrong || `${key} is needed: write a whole number.`);
  byId("refused").innerHTML = raised(escaped(wrong ? `${key}: ${wrong}` : message));
}

// Dims the views of the last good code while the spec, or a number in its box, makes no code.
function showStale() {
  const isStale = byId("refused").textContent !== "" || byId("sliders").querySelector("[aria-invalid=true]") !== null;
  document.body.classList.toggle("stale", isStale);
  document.body.classList.toggle("empty", isStale && !good);
  byId("stale").textContent = good ? `Below is still ${good}.` : "There is nothing to show: this spec makes no code. Choose a family, or write another spec.";
  if (!good) byId("lead-code").textContent = "";
}

// What is wrong with the text of a box, or nothing. The library says whether a number may be left out, and how large it
// may be.
function wrongText({value, validity}) {
  if (!validity.badInput && (value === "" || isWhole(value))) return "";
  return `${validity.badInput ? "This" : value} is not a whole number in digits, such as 10.`;
}

// Moves the sliders of numbers that the spec leaves to the library to what it took.
function placeAutomatic(taken) {
  const {family, values} = parsedSpec(state.code);
  for (const input of byId("sliders").querySelectorAll("input[type=range]")) {
    const {key} = input.dataset;
    if (key in values || !(key in taken)) continue;
    const steps = valuesOf(family, key, values);
    input.value = steps ? steps.indexOf(Number(taken[key])) : taken[key];
    input.ariaValueText = `auto: ${taken[key]}`;
  }
}

function summaryText({name, summary: text}) {
  const isNumber = text[1] === " "; // the name of a number, such as k, stays as it is
  const sentence = `${isNumber ? text[0] : text[0].toUpperCase()}${text.slice(1)}.`;
  return explained(raised(escaped(`${sentence} ${NOTES[name] ?? ""}`)), TERMS);
}

// The bounds of a family within that of this page; what comes after the first of them is folded.
function boundsText(text) {
  const isOfFamily = one => !(one.match(/^[a-z] <= (\d+)$/)?.[1] > MOST_NUMBER);
  const [first, ...others] = text.split("; ").filter(isOfFamily).map(one => raised(escaped(one.replaceAll("<=", "≤").replaceAll(">=", "≥"))));
  return `Bounds: numbers up to ${MOST_NUMBER} on this page${first ? `; ${first}` : ""}${others.length ? `<details><summary>more</summary>${others.join("; ")}</details>` : ""}`;
}

function show() {
  const {family, values} = parsedSpec(state.code);
  if (document.activeElement !== byId("spec")) byId("spec").value = state.code;
  byId("printed").textContent = state.code;
  leftOut = byId("summary").dataset.family === family ? leftOut.filter(one => !(one in values)) : [];
  byId("left-out").textContent = leftOut.length ? `${leftOut.join(" and ")} ${leftOut.length === 1 ? "was" : "were"} left out: ${leftOut.length === 1 ? "it belongs" : "they belong"} to the numbers as they were.` : "";
  const record = families.find(one => one.name === family);
  document.body.classList.toggle("unknown", !record);
  if (!record) { // the sliders stay those of `formed`; each family can be chosen
    byId("family").value = "";
    document.body.classList.add("ready");
    return;
  }
  formed = state.code;
  byId("family").value = family;
  if (byId("summary").dataset.family !== family) {
    byId("summary").dataset.family = family;
    byId("summary").innerHTML = summaryText(record);
    byId("bounds").innerHTML = boundsText(record.bounds);
  }
  const place = byId("sliders");
  const next = document.createElement("div");
  next.innerHTML = sliders(family, values);
  const keysIn = one => `${family} ${[...one.querySelectorAll("input[type=number]")].map(input => input.dataset.key).join()}`;
  // Sliders that are there already keep the focus and the pointer.
  if (place.dataset.keys === keysIn(next)) {
    const inputs = [...place.querySelectorAll("input")];
    [...next.querySelectorAll("input")].forEach((input, i) => {
      if (inputs[i] !== document.activeElement) inputs[i].min = input.min, inputs[i].max = input.max, inputs[i].value = input.value;
      if (input.ariaValueText) inputs[i].ariaValueText = input.ariaValueText;
    });
  } else {
    place.dataset.keys = keysIn(next);
    place.replaceChildren(...next.childNodes);
  }
  for (const {id} of place.querySelectorAll(".wrong")) sayWrong(id.slice("wrong-".length), "");
  document.body.classList.add("ready");
}

// "2 losses"; "at least 4" if no one knows whether it is more; or what is known if that is not proved.
export function survivalText({losses, answer, most}) {
  if (answer !== "proved") return `${losses}? ${answer}`;
  return most === null ? `at least ${losses}` : counted(most, "loss", "losses");
}

// Why a code survives so many losses.
const survivalReason = ({losses, reason, most}) =>
  `${reason}${most > losses ? `. It survives any ${most}: the page tried all sets of them` : ""}`;

function facts(matrix) {
  const data = matrix.inputs.length;
  const rows = matrix.rows_of_location;
  const all = matrix.locations * rows;
  return `<dl><div><dt>${term("chunk", "chunks", "a column of boxes in the pictures")}</dt><dd>${matrix.locations}</dd></div>
    <div><dt>${term("row", "rows", rows === 1 ? "a chunk is one row" : `a chunk has ${rows} of them`)} of each</dt><dd>${rows.toLocaleString("en")}</dd></div>
    <div><dt>storage</dt><dd>${ratio(all / data)} × data</dd></div>
    <div><dt>survives any</dt><dd id="survives">…</dd></div></dl>`;
}

// Asks for the code of the state, and tells whoever waits for it.
async function ask() {
  const last = await isLast();
  show();
  const code = state.code;
  needed = null;
  compiler.stopSlow();
  decider.stopSlow();
  try {
    const matrix = await compiler.json({ask: "matrix", code});
    if (!last()) return;
    byId("refused").textContent = "";
    byId("facts").innerHTML = facts(matrix);
    placeAutomatic(parsedSpec(matrix.code).values);
    good = code;
    showStale();
    showLead(matrix);
    const decided = decider.json({ask: "code", code});
    matrix.mostLosses = decided.then(({survives}) => (survives.answer === "proved" ? survives.most : null), () => null);
    onCode(code, matrix);
    const {survives} = await decided;
    if (!last()) return;
    const isKnown = survives.answer === "proved" && survives.most !== null;
    const [text, reason] = [survivalText(survives), survivalReason(survives)];
    byId("survives").innerHTML = isKnown ? term("survives any", text, reason) : term("promise", text, reason);
    showLead(matrix, survives);
  } catch (error) {
    if (!last()) return;
    if (error instanceof Stopped) return ask(); // another view was chosen
    byId("refused").innerHTML = raised(escaped(error.message));
    const key = error.message.match(/ needs (\w+)=/)?.[1];
    if (key) needed = {key, message: error.message}, sayNeeded();
    showStale();
    onCode(code, null);
  }
}

function takeValue(key, value) {
  const {family, values} = parsedSpec(formed);
  const next = {};
  for (const one of (families.find(it => it.name === family)?.keys ?? "").split(" ")) {
    const given = one === key ? value : values[one];
    // Lists of points and polynomials belong to the numbers that they were given with.
    if (given !== undefined && given !== "" && (isWhole(given) || one === "arrangement" || one === "matrix")) next[one] = isWhole(given) ? given.replace(/^0+(?=\d)/, "") : given;
  }
  leftOut.push(...Object.keys(values).filter(one => one !== key && !(one in next)));
  change({code: specOf(family, next), lost: state.lost.filter(location => location < 4096)});
}

// Starts the form. `whenCode(spec, matrix)` is called for each code; with null if the code is refused.
export async function startForm(theCompiler, whenCode) {
  compiler = theCompiler;
  onCode = whenCode;
  families = (await compiler.json({ask: "families"})).filter(family => family.name !== "file");
  const isGrouped = ({name}) => Object.values(GROUPS).some(group => group.includes(name));
  const groups = {...GROUPS, Others: families.filter(family => !isGrouped(family)).map(({name}) => name)};
  byId("family").innerHTML = Object.entries(groups)
    .map(([title, names]) => `<optgroup label="${title}">${names.map(name => `<option>${escaped(name)}</option>`).join("")}</optgroup>`).join("");
  byId("family").addEventListener("change", event => {
    change({code: families.find(family => family.name === event.target.value).example, lost: [0]});
  });
  byId("sliders").addEventListener("input", ({target}) => {
    const {family, values} = parsedSpec(formed);
    const {key} = target.dataset;
    const steps = valuesOf(family, key, values);
    const wrong = target.type === "number" ? wrongText(target) : "";
    sayWrong(key, wrong);
    if (needed && (wrong || target.value === "")) sayNeeded();
    showStale();
    if (!wrong) takeValue(key, steps && target.type === "range" ? String(steps[target.value]) : target.value);
  });
  byId("spec").addEventListener("change", event => {
    leftOut = [];
    change({code: event.target.value.trim(), lost: [0]});
  });
  byId("copy-link").addEventListener("click", async ({target}) => {
    target.textContent = await copied(location.href) ? "Copied" : "The browser does not allow it";
    setTimeout(() => (target.textContent = "Copy link"), 2000);
  });
  await ask();
}

export const codeChanged = ask;
