// The view of equations: direct and iterative side by side, and a search for fewer XORs.
import { PATIENCE, byId, counted, latest, runText, showSentence } from "./dom.js";
import { Compiler, Stopped } from "./compiler.js";
import { equationList, followElements, xorsOf } from "./equation_list.js";
import { fallingChart, leastText } from "./falling_chart.js";
import { term } from "./glossary.js";
import { noGraph } from "./picture_bounds.js";
import { QUICK, QUICK_OPTIONS, found } from "./state.js";
import { fileName, headOf, noSource, quoted, sourceNote, takeaway } from "./takeaway.js";

const MILLION = 1e6;
const TRIES = [1, 3, 10, 30, 100, 300, 1000].map(millions => millions * MILLION);

// A search has a worker of its own: ending it leaves the other one's answers alone.
const searcher = new Compiler();
const isLast = latest();

let shown = null; // {code, matrix, compiler, direct, iterative}
let isRunning = false;
let fall = []; // {seconds, xors} of the last search
const made = new Set(); // searches: spec and tries
const left = new Set(); // specs whose search another view stopped before it found anything

const frame = `
  <p class="note quiet">These equations compute the redundant chunks. A number is an ${term("element")}, a letter (or T and a number) a shared ${term("temporary")}, and ⊕ is XOR. An underlined output is read again.</p>
  <div><div class="pair">
    <section aria-labelledby="direct-head"><h2 id="direct-head">${term("direct", "Direct")}</h2><div class="count" id="direct-count"></div><div id="direct"></div></section>
    <section aria-labelledby="iterative-head"><h2 id="iterative-head">${term("iterative", "Iterative")}</h2><div class="count" id="iterative-count"></div><div id="iterative"></div></section>
  </div>
  <p class="note quiet" id="example"></p>
  <p class="note quiet" id="element-note" aria-live="polite">Point at a number or a letter, or use the arrow keys in a list, to see what it is and all its uses.</p></div>
  <div class="search" role="group" aria-labelledby="search-head"><h2 id="search-head">Search for fewer XORs</h2>
    <label for="tries">tries</label>
    <input type="range" id="tries" min="0" max="${TRIES.length - 1}" value="2" aria-describedby="tries-text">
    <output id="tries-text" for="tries"></output>
    <button type="button" id="search" class="main" disabled>Search</button>
    <progress id="progress" max="1" value="0" aria-label="Part of the changes tried"></progress>
    <p id="search-said" class="quiet" role="status"></p>
  </div>
  <div id="fall"></div>
  <div class="takeaway" id="equations-takeaway"></div>`;

const triesText = tries => `${counted(tries / MILLION, "million changes", "million changes")} to the equations`;

const needed = xors => (xors <= shown.matrix.bound ? "the fewest possible" : leastText(shown.matrix.bound));

function showCount(style) {
  const document = shown[style];
  const saved = style === "iterative" ? 1 - xorsOf(document) / xorsOf(shown.direct) : 0;
  byId(`${style}-count`).innerHTML =
    `<b>${xorsOf(document).toLocaleString("en")}</b> ${xorsOf(document) === 1 ? "XOR" : "XORs"}` +
    (saved > 0 ? ` <span class="saved">${Math.round(100 * saved)} % fewer</span>` : "") +
    `<br><span class="quiet">${style === "iterative" ? needed(xorsOf(document)) : "each output from the data alone"}</span>` +
    `<br><span class="proved">✓ ${term("proof", "proved", "each output, as a set of inputs, equals its row of the bitmatrix")} to compute this code</span>`;
}

function showList(style) {
  const hadFocus = byId(style).contains(document.activeElement);
  byId(style).innerHTML = equationList(shown[style]);
  if (hadFocus) byId(style).querySelector(".equations").focus();
  showCount(style);
}

// Which elements are data and which are computed, where each are a run, and how one of the computed is numbered.
function exampleText({inputs, outputs, rows_of_location: rows}) {
  const [data, computed] = [inputs, outputs].map(list => {
    const isRun = list.at(-1) - list[0] === list.length - 1;
    return isRun ? `${runText(list, "–")} ${list.length === 1 ? "is" : "are"}` : "";
  });
  const one = outputs[Math.min(1, outputs.length - 1)];
  const [chunk, row] = [Math.floor(one / rows), one % rows];
  return `${data && computed ? `${data} the data, ${computed} computed. ` : ""}${one} is row ${row} of chunk ${chunk}: ${chunk} (chunk) × ${rows} (rows) + ${row}.`;
}

// `text` are the iterative equations to show. Their C source is asked for by `source`; that of a code on words is over
// its symbols. `command` gives them, or the whole search if it was stopped.
function setIterative(text, command, source, isStopped = false) {
  const {code, matrix, compiler} = shown;
  const search = matrix.source_over === "bits" ? source : QUICK;
  shown.iterative = JSON.parse(text);
  showList("iterative");
  const isFewest = xorsOf(shown.iterative) <= matrix.bound;
  byId("search").disabled = isFewest;
  if (isFewest) byId("search-said").textContent += " No equations have fewer XORs: there is nothing to search for.";
  takeaway(byId("equations-takeaway"), command, {
    "SVG": noGraph(shown.iterative) || (async () => [fileName(code, "equations.svg"), await compiler.ask({ask: "given", text, format: "svg"}), "image/svg+xml"]),
    "JSON": async () => [fileName(code, "equations.json"), text, "application/json"],
    "C": noSource(matrix) || (async () => [fileName(code, "encode.c"), await compiler.ask({ask: "source", code, target: "c", ...search}), "text/x-c"]),
  }, {head: headOf(isStopped), note: sourceNote(matrix)});
}

// What stands in place of equations that take long.
const LOOKING = {direct: "Writing an equation for each output …", iterative: "Looking for common sums …"};

function showLooking(styles) {
  shown.iterative = null; // the lists are no longer those of this code
  byId("search").disabled = true;
  byId("equations-takeaway").innerHTML = "";
  for (const style of styles) {
    byId(`${style}-count`).textContent = "";
    showSentence(byId(style), LOOKING[style]);
  }
}

const searchCommand = (code, tries) =>
  `xorloom equations ${quoted(code)} --style iterative --effort max --tries ${tries} --store off`;

// Shows and keeps what a search found, if it is better than what was there before.
function keep(text, command, before, isStopped = false) {
  const {code} = shown;
  if (xorsOf(JSON.parse(text)) >= before) return false;
  found.set(code, {text, command, isStopped});
  if (byId("iterative")) setIterative(text, command, {text}, isStopped); // else another view was chosen
  return true;
}

function showFall(bound, seconds = 0) {
  byId("fall").innerHTML = fallingChart(fall.length ? [...fall, {seconds, xors: fall.at(-1).xors}] : fall, bound);
}

// About how long the rest of a search takes, once some of it is done; or nothing.
function leftText(seconds, part) {
  const left = seconds / part - seconds;
  if (seconds < 2 || part < 0.002 || left < 1) return "";
  return `about ${left < 90 ? counted(Math.ceil(left), "second") : counted(Math.round(left / 60), "minute")} left`;
}

function setRunning(running) {
  isRunning = running;
  if (!byId("search")) return;
  byId("search").textContent = running ? "Stop" : "Search";
  byId("progress").classList.toggle("on", running);
}

function stopSearch() {
  searcher.stop();
  setRunning(false);
}

async function search() {
  if (isRunning) return stopSearch();
  if (!shown.iterative) return;
  const {code, matrix} = shown;
  const tries = TRIES[byId("tries").value];
  const question = {ask: "equations", code, style: "iterative", effort: "max", tries};
  const began = performance.now();
  const before = xorsOf(shown.iterative);
  const wasMade = made.has(`${code} ${tries}`);
  const nothing = () => `Nothing better found: still ${counted(before, "XOR")}${before <= matrix.bound ? ", the fewest possible" : `, ${leastText(matrix.bound)}`}.${wasMade ? " This search was made before." : ""}`;
  fall = [];
  showFall(matrix.bound);
  setRunning(true);
  byId("progress").value = 0;
  byId("search-said").textContent = "Looking for common pairs …";
  const seconds = () => (performance.now() - began) / 1000;
  const note = xors => {
    const best = Math.min(xors, before); // what the page has already
    if (!fall.length || fall.at(-1).xors > best) fall.push({seconds: seconds(), xors: best});
  };
  const showUntilNow = () => byId("fall") && fall.length && showFall(matrix.bound, seconds());
  const clock = setInterval(showUntilNow, 500);
  let best = null;
  try {
    const text = await searcher.ask(question, {
      onProgress: ({xors, bound, part}) => {
        if (shown.code !== code) return;
        note(xors);
        byId("progress").value = part;
        byId("search-said").textContent = `${counted(xors, "XOR")} so far${xors > before ? `, ${before.toLocaleString("en")} on the page` : ""}; ${Math.round(100 * part)} % of the changes, ${leftText(seconds(), part) || leastText(bound)}`;
        showUntilNow();
      },
      onEquations: json => {
        if (shown.code !== code) return;
        const document = JSON.parse(json);
        if (xorsOf(document) >= before) return;
        best = json;
        shown.iterative = document;
        showList("iterative");
      },
    });
    made.add(`${code} ${tries}`);
    if (shown.code !== code) return;
    const xors = xorsOf(JSON.parse(text));
    note(xors);
    showUntilNow();
    byId("search-said").textContent = keep(text, searchCommand(code, tries), before)
      ? `${counted(xors, "XOR")} after ${seconds().toFixed(1)} s, ${counted(before - xors, "fewer", "fewer")} than before.` : nothing();
  } catch (error) {
    if (shown.code !== code) return;
    if (best && error instanceof Stopped) keep(best, searchCommand(code, tries), before, true);
    if (!byId("search-said")) {
      left.add(code);
      return;
    }
    if (error instanceof Stopped) {
      byId("search-said").textContent = best
        ? `Stopped: these are the best equations so far, ${counted(xorsOf(JSON.parse(best)), "XOR")}. The command tries all ${triesText(tries)}.`
        : `Stopped. ${nothing()}`;
    } else {
      byId("search-said").textContent = error.message;
    }
  } finally {
    clearInterval(clock);
    if (shown.code === code) showUntilNow(), setRunning(false);
  }
}

export const equationsView = {
  start(place, compiler) {
    place.innerHTML = frame;
    const tries = byId("tries");
    const say = () => (byId("tries-text").textContent = triesText(TRIES[tries.value]));
    tries.addEventListener("input", say);
    say();
    byId("search").addEventListener("click", search);
    followElements(place, found => shown && (found.closest("#direct") ? shown.direct : shown.iterative), byId("element-note"));
    shown = {compiler};
  },

  async show(code, matrix, compiler) {
    const last = await isLast();
    if (shown.code === code && shown.iterative) return;
    if (isRunning) stopSearch();
    const question = {ask: "equations", code};
    const missing = Object.keys(LOOKING);
    setTimeout(() => missing.length && last() && byId("iterative") && showLooking(missing), PATIENCE);
    const direct = await compiler.json(question);
    if (!last()) return;
    missing.shift();
    shown = {code, matrix, compiler, direct, iterative: null};
    byId("search-said").textContent = byId("fall").innerHTML = "";
    byId("example").textContent = exampleText(matrix);
    showList("direct");
    performance.mark("equations");
    byId("view").dataset.shown = code;
    if (found.has(code)) {
      missing.shift();
      const {text, command, isStopped, ofPlan} = found.get(code);
      byId("search-said").textContent = ofPlan
        ? `The view Cores found these equations for ${counted(ofPlan.cores, "core")}. The quick search found ${counted(ofPlan.quick, "XOR")}.`
        : `These are the best equations that were found${isStopped ? " until the search was stopped" : ""}.`;
      setIterative(text, command, {text}, isStopped);
      return;
    }
    const text = await compiler.ask({...question, ...QUICK});
    if (!last()) return;
    missing.shift();
    setIterative(text, `xorloom equations ${quoted(code)} ${QUICK_OPTIONS}`, QUICK);
    if (left.delete(code)) byId("search-said").textContent = "The search was stopped when another view was chosen. It had found nothing better.";
    void searcher.start(); // the first search then begins at once
  },

  hide: stopSearch,
};
