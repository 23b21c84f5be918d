// Starts the page: one compiler, the form, and the view that the address names.
import { compareView } from "./compare_view.js";
import { Compiler, Stopped } from "./compiler.js";
import { coresView } from "./cores_view.js";
import { byId, escaped, showSentence } from "./dom.js";
import { equationsView } from "./equations_view.js";
import { fileView } from "./file_view.js";
import { codeChanged, startForm } from "./form.js";
import { startGlossary } from "./glossary.js";
import { lossesView } from "./losses_view.js";
import { matrixView } from "./matrix_view.js";
import { startPictureBounds } from "./picture_bounds.js";
import { ownView } from "./own_view.js";
import { VIEWS, change, onChange, startState, state } from "./state.js";
import { overSymbols, takeaway } from "./takeaway.js";

const views = {
  equations: equationsView, matrix: matrixView, cores: coresView, losses: lossesView,
  compare: compareView, own: ownView, file: fileView,
};
const OF_EQUATIONS = ["equations", "cores", "file"]; // views that a code with too many XORs has nothing for
const WITHOUT_CODE = ["compare", "own"]; // views of other codes than that of the form
// What each view depends on, beside the code.
const PARTS = {cores: ["cores", "style"], losses: ["lost"], file: ["lost"], compare: ["compare"]};

const compiler = new Compiler();
let started = null;
let current = null; // {code, matrix}

async function showView() {
  const name = state.view;
  const view = views[name];
  const place = byId("view");
  if (started !== state.view) {
    if (started) compiler.stopSlow(); // nobody waits for another view any more
    views[started]?.hide?.();
    started = document.body.dataset.view = state.view;
    place.innerHTML = "<div></div>"; // whose listeners go with it
    view.start(place.firstChild, compiler);
    for (const tab of byId("tabs").children) {
      const isThis = tab.dataset.view === state.view;
      tab.setAttribute("aria-selected", isThis);
      tab.tabIndex = isThis ? 0 : -1;
      if (isThis) place.setAttribute("aria-labelledby", tab.id);
    }
  }
  if (!current && !WITHOUT_CODE.includes(name)) return;
  if (current?.matrix.unwritten && OF_EQUATIONS.includes(name)) {
    const {code, matrix} = current;
    view.hide?.();
    place.innerHTML = `<p>This view needs equations: ${escaped(matrix.unwritten)}. The views Matrix and Losses have pictures of this code. The program has equations of its symbols, which are fewer, and encodes files with it.</p><div class="takeaway" id="unwritten-takeaway"></div>`;
    takeaway(byId("unwritten-takeaway"), overSymbols(code), {}, {head: "In a terminal: equations over symbols"});
    started = null; // the view begins anew with another code
    place.dataset.shown = code;
    return;
  }
  try {
    await view.show(current?.code ?? state.code, current?.matrix, compiler);
  } catch (error) {
    if (!(error instanceof Stopped) && name === state.view) showSentence(place, error.message, true), (started = null);
  }
}

function startTabs() {
  for (const tab of byId("tabs").children) {
    tab.id = `tab-${tab.dataset.view}`;
    tab.setAttribute("aria-controls", "view");
  }
  byId("tabs").addEventListener("click", event => {
    const tab = event.target.closest("[data-view]");
    if (tab) change({view: tab.dataset.view});
  });
  byId("tabs").addEventListener("keydown", event => {
    const at = VIEWS.indexOf(state.view);
    const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = VIEWS.at(to % VIEWS.length);
    change({view: next});
    byId(`tab-${next}`).focus();
  });
}

// The fragment of the address holds the state, so the link to the view changes the focus alone.
function startSkipping() {
  document.querySelector(".skip").addEventListener("click", event => {
    event.preventDefault();
    byId("view").focus();
    byId("view").scrollIntoView();
  });
}

// A file that is dropped beside its place does not replace the page.
function startDropping() {
  for (const kind of ["dragover", "drop"]) {
    addEventListener(kind, event => event.dataTransfer?.types.includes("Files") && event.preventDefault());
  }
}

// Paper has the whole of each list.
function startPrinting() {
  addEventListener("beforeprint", () => {
    for (const button of document.querySelectorAll("#view .more")) button.click();
  });
}

async function start() {
  startGlossary();
  startPrinting();
  startDropping();
  startSkipping();
  startState();
  startTabs();
  await compiler.start();
  await startPictureBounds(compiler);
  onChange(changed => {
    if (changed.includes("code")) void codeChanged();
    if (changed.includes("view") || changed.some(key => PARTS[state.view]?.includes(key))) void showView();
  });
  await startForm(compiler, (code, matrix) => {
    if (matrix) current = {code, matrix}; // else the last one stays
    void showView();
  });
}

if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
  showSentence(byId("view"), "This browser has no WebAssembly or no DecompressionStream: Chrome 95, Firefox 113 or Safari 16.4 and later have them.", true);
} else {
  start().catch(error => showSentence(byId("view"), error.message, true));
}
