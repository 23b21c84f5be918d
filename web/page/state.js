// What the page shows, as the fragment of its address has it.

export const VIEWS = ["equations", "matrix", "cores", "losses", "compare", "own", "file"];

export const MOST_CORES = 16; // of a plan that is drawn

export const state = {
  code: "cauchy-good:k=4,m=2,w=4",
  view: "equations",
  cores: 3,
  style: "iterative", // of the equations that a plan is made for
  lost: [0],
  compare: ["cauchy-good:k=8,m=4,w=4", "lrc:k=8,m=4,l=3", "clay:k=8,m=4,d=11"],
};

// What a quick search for iterative equations is asked for, and its options in a terminal.
export const QUICK = {style: "iterative", effort: "max", tries: 20000};
export const QUICK_OPTIONS = `--style iterative --effort max --tries ${QUICK.tries} --store off`;

// Equations with fewer XORs than those of the quick search, by spec: {text, command, ofPlan, isStopped}. All views show
// them in place of these. `ofPlan`, {cores, quick}: a plan for so many cores has them, and the quick search has `quick`
// XORs; else a search found them, which was perhaps stopped, and then `command` is the whole search.
export const found = new Map();

const LONGEST = 500; // letters of a spec
const listeners = [];
let written = "";

const specText = text => text.slice(0, LONGEST);

const READERS = {
  code: specText,
  view: text => (VIEWS.includes(text) ? text : "equations"),
  cores: text => Math.min(MOST_CORES, Math.max(1, Number.parseInt(text, 10) || 1)),
  style: text => (text === "direct" ? "direct" : "iterative"),
  lost: text => [...new Set(text.split(/[.,]/).filter(part => /^\d{1,5}$/.test(part)).map(Number))].sort((a, b) => a - b),
  compare: text => [...new Set(text.split("|").filter(Boolean).map(specText))].slice(0, 4),
};
const WRITERS = {lost: list => list.join("."), compare: list => list.join("|")};

function fragment() {
  const parts = Object.keys(READERS).map(key => `${key}=${encodeURIComponent((WRITERS[key] ?? String)(state[key]))}`);
  return `#${parts.join("&").replaceAll("%3A", ":").replaceAll("%3D", "=").replaceAll("%2C", ",")}`;
}

function read() {
  for (const part of location.hash.slice(1).split("&")) {
    const at = part.indexOf("=");
    const key = part.slice(0, at);
    if (!(key in READERS)) continue;
    try {
      state[key] = READERS[key](decodeURIComponent(part.slice(at + 1)));
    } catch {
      // a part of an address that is cut off
    }
  }
}

// Calls `listener` after each change with the keys that changed.
export function onChange(listener) {
  listeners.push(listener);
}

// Changes the state, and the address with it. `isStep`: the browser's Back leads to the state before.
export function change(values, isStep = false) {
  const changed = Object.keys(values).filter(key => String(state[key]) !== String(values[key]));
  if (!changed.length) return;
  Object.assign(state, values);
  written = fragment();
  history[isStep ? "pushState" : "replaceState"](null, "", written);
  for (const listener of listeners) listener(changed);
}

// Takes the state of the address, and follows it if someone edits it or goes back.
export function startState() {
  read();
  addEventListener("hashchange", () => {
    if (location.hash === written) return;
    written = location.hash;
    read();
    for (const listener of listeners) listener(Object.keys(READERS));
  });
}
