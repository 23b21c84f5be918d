// The choice of a code: a family, and a slider for each number that its spec has.
import { Compiler, Stopped } from "./compiler.js";
import { byId, counted, escaped, latest } from "./dom.js";
import { term } from "./glossary.js";
import { change, state } from "./state.js";

// Where sliders end. The number beside a slider may be larger: then the library says what it thinks of it.
const ENDS = {k: [1, 32], m: [1, 8], w: [1, 16], p: [3, 31], r: [1, 8], v: [0, 8], h: [0, 8], c: [1, 8], l: [1, 16], d: [1, 40]};
const HINTS = {k: "data chunks", m: "redundant chunks", w: "bits of a symbol", p: "a prime: p - 1 rows", l: "chunks of a local group", d: "helpers of a repair", c: "losses survived", r: "rows, or losses", v: "redundant rows", h: "redundant locations"};

let families = [];
let compiler = null;
let onCode = null;
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

function sliders(family, values) {
  const keys = (families.find(one => one.name === family)?.keys ?? "").split(" ");
  return keys
    .filter(key => key in ENDS && (key in values || ["k", "m", "w", "p"].includes(key)))
    .map(key => {
      const [least, most] = ENDS[key];
      const value = values[key] ?? "";
      const shown = isWhole(value) ? value : least;
      return `<div class="slider"><label for="at-${key}"><b>${key}</b> <small>${HINTS[key]}</small></label>
        <input type="range" id="at-${key}" data-key="${key}" min="${least}" max="${Math.max(most, Math.min(shown, 64))}" value="${shown}">
        <input type="number" data-key="${key}" aria-label="${key}, ${HINTS[key]}" min="${least}" value="${value}" placeholder="auto"></div>`;
    })
    .join("");
}

function show() {
  const {family, values} = parsedSpec(state.code);
  const record = families.find(one => one.name === family);
  byId("family").value = record ? family : "";
  byId("summary").textContent = record ? record.summary : "";
  byId("bounds").textContent = record ? record.bounds.replaceAll("<=", "≤").replaceAll(">=", "≥") : "";
  const place = byId("sliders");
  const known = [...place.querySelectorAll("input[type=number]")];
  const keys = known.map(input => input.dataset.key).join();
  const next = document.createElement("div");
  next.innerHTML = sliders(family, values);
  // Sliders that are there already keep the focus and the pointer.
  if (keys && keys === [...next.querySelectorAll("input[type=number]")].map(input => input.dataset.key).join()) {
    for (const input of place.querySelectorAll("input")) {
      if (input !== document.activeElement) input.value = values[input.dataset.key] ?? (input.type === "range" ? input.min : "");
    }
  } else {
    place.replaceChildren(...next.childNodes);
  }
  if (document.activeElement !== byId("spec")) byId("spec").value = state.code;
  byId("printed").textContent = state.code;
}

function facts(matrix) {
  const data = matrix.inputs.length;
  const all = matrix.locations * matrix.rows_of_location;
  return `<dl><div><dt>${term("location", "locations")}</dt><dd>${matrix.locations}</dd></div>
    <div><dt>${term("row", "rows")} of each</dt><dd>${matrix.rows_of_location}</dd></div>
    <div><dt>storage</dt><dd>${(all / data).toFixed(2)} × data</dd></div>
    <div><dt>survives any</dt><dd id="survives">…</dd></div></dl>`;
}

// Asks for the code of the state, and tells whoever waits for it.
async function ask() {
  const last = await isLast();
  show();
  const code = state.code;
  compiler.stopSlow();
  decider.stopSlow();
  try {
    const matrix = await compiler.json({ask: "matrix", code});
    if (!last()) return;
    byId("refused").textContent = "";
    byId("facts").innerHTML = facts(matrix);
    document.body.classList.remove("stale");
    onCode(code, matrix);
    const about = await decider.json({ask: "code", code});
    if (!last()) return;
    const {losses, answer} = about.survives;
    byId("survives").textContent = answer === "proved" ? counted(losses, "loss", "losses") : `${losses}? ${answer}`;
    byId("survives").title = about.survives.reason;
  } catch (error) {
    if (!last() || error instanceof Stopped) return;
    byId("refused").textContent = error.message;
    document.body.classList.add("stale");
    onCode(code, null);
  }
}

function takeValue(key, value) {
  const {family, values} = parsedSpec(state.code);
  const next = {};
  for (const one of (families.find(it => it.name === family)?.keys ?? "").split(" ")) {
    const given = one === key ? value : values[one];
    // Lists of points and polynomials belong to the numbers that they were given with.
    if (given !== undefined && given !== "" && (isWhole(given) || one === "arrangement" || one === "matrix")) next[one] = given;
  }
  change({code: specOf(family, next), lost: state.lost.filter(location => location < 4096)});
}

// Starts the form. `whenCode(spec, matrix)` is called for each code; with null if the code is refused.
export async function startForm(theCompiler, whenCode) {
  compiler = theCompiler;
  onCode = whenCode;
  families = (await compiler.json({ask: "families"})).filter(family => family.name !== "file");
  byId("family").innerHTML = families.map(({name}) => `<option>${escaped(name)}</option>`).join("");
  byId("family").addEventListener("change", event => {
    change({code: families.find(family => family.name === event.target.value).example, lost: [0]});
  });
  byId("sliders").addEventListener("input", ({target}) => {
    for (const other of byId("sliders").querySelectorAll(`[data-key="${target.dataset.key}"]`)) {
      if (other !== target) other.value = target.value;
    }
    takeValue(target.dataset.key, target.value);
  });
  byId("spec").addEventListener("change", event => change({code: event.target.value.trim(), lost: [0]}));
  await ask();
}

export const codeChanged = ask;
