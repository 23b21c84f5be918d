// The view of a plan: which core computes which XOR in which step, and what moves between cores.
import { PATIENCE, byId, counted, escaped, latest } from "./dom.js";
import { elementMeaning, elementName, followElements, isTemporary, xorsOf } from "./equation_list.js";
import { term } from "./glossary.js";
import { noGraph } from "./picture_bounds.js";
import { MOST_CORES, QUICK, QUICK_OPTIONS, change, found, state } from "./state.js";
import { fileName, headOf, quoted, takeaway } from "./takeaway.js";

const MOST_STEPS = 400;
const STEPS_OF_PAPER = 17; // side by side
const WIDTH = 46; // of a step, in pixels
const HEIGHT = 40; // of a core
const LEFT = 64;
const TOP = 22;
const SCROLLBAR = 15; // height
const LONG_NAME = 5; // letters that fit into a box
const MILLISECONDS = 700; // of a step while it plays

const NO_PLAN = '<svg id="plan" class="empty-plan"><rect id="now"/><g id="ways"></g><g id="moves"></g></svg>';
const noXors = cores => "<li><b>&nbsp;</b></li>".repeat(cores);

const HOW = "Point at a number or a letter, or use the arrow keys in the list of a step, to see what it is.";

const isLast = latest();
let document_ = null;
let boxes = []; // {core, step, target, operands, whole, part}: `whole` is the target of the equation that it is a part of
let made = new Map(); // by element: the box that computes it
let step = 0;
let timer = 0;
let steps = 0;

// Where lines begin and end.
const rightOf = box => LEFT + (box.step + 1) * WIDTH - 3;
const leftOf = box => LEFT + box.step * WIDTH + 3;
const heightOfCore = box => TOP + (box.core + 0.5) * HEIGHT;

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const inkOf = box => `ink${box.core % 8}`;
const isPartial = box => box.whole !== box.target;

// The name of an element; those of partial sums of 16 are 16'1, 16'2 …, as in pictures of the program.
function name(element) {
  const box = made.get(element);
  return box && isPartial(box) ? `${elementName(document_, box.whole)}'${box.part}` : elementName(document_, element);
}

function meaning(_, element) {
  const box = made.get(element);
  return box && isPartial(box) ? `${sumText(box)}, a partial sum of ${elementName(document_, box.whole)}.` : elementMeaning(document_, element);
}

function boxSvg(box, from) {
  const x = LEFT + (box.step - from) * WIDTH + 3;
  const y = TOP + box.core * HEIGHT + 4;
  const text = name(box.target);
  const size = text.length > LONG_NAME ? ` class="long" textLength="${WIDTH - 12}" lengthAdjust="spacingAndGlyphs"` : "";
  return `<g class="xor ${inkOf(box)}${isPartial(box) ? " partial" : ""}" data-step="${box.step}" data-e="${box.target}">
    <rect x="${x}" y="${y}" width="${WIDTH - 6}" height="${HEIGHT - 8}" rx="5"/>
    <text x="${x + WIDTH / 2 - 3}" y="${y + HEIGHT / 2 + 1}"${size}>${text}</text></g>`;
}

const heightOf = cores => TOP + cores * HEIGHT + 4;
const roomOf = cores => `${heightOf(cores) + 10 + SCROLLBAR}px`;

// The steps from `from` on, up to `to`; with what moves if there is an id.
function picture(cores, from, to, id = "") {
  const width = LEFT + (to - from) * WIDTH + 4;
  const height = heightOf(cores);
  const heads = Array.from({length: to - from}, (_, i) => `<text class="head" x="${LEFT + (i + 0.5) * WIDTH}" y="14">${from + i}</text>`);
  const rows = Array.from({length: cores}, (_, i) => `<text class="core" x="4" y="${TOP + (i + 0.5) * HEIGHT + 5}">core ${i}</text>
    <path class="row" d="M${LEFT} ${TOP + (i + 1) * HEIGHT}H${width}"/>`);
  const label = `Plan of ${counted(steps, "step")} on ${counted(cores, "core")}`;
  const drawn = boxes.filter(box => box.step >= from && box.step < to).map(box => boxSvg(box, from));
  return `<svg class="plan"${id && ` id="${id}"`} width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(label)}">
    ${heads.join("")}${rows.join("")}${id && `<rect class="now" id="now" y="${TOP}" width="${WIDTH}" height="${cores * HEIGHT}"/>`}
    ${id && '<g id="ways"></g>'}${drawn.join("")}${id && '<g id="moves"></g>'}</svg>`;
}

const sumsOf = at => boxes.filter(box => box.step === at).sort((a, b) => a.core - b.core);

// What a box adds; `from` is written behind operands of other cores.
const sumText = (box, from = () => "") => `${name(box.target)} = ${box.operands.map(operand => name(operand) + (movedFrom(box, operand) === null ? "" : from(movedFrom(box, operand)))).join(" ⊕ ")}`;

// The core that an operand moves from, or null if it does not move.
function movedFrom(box, operand) {
  const from = made.get(operand);
  return from && from.core !== box.core ? from.core : null;
}

// The plan as a screen has it, in one row, and as paper has it, in several, with the XORs of all steps.
function pictures(cores) {
  let paper = "";
  for (let from = 0; from < steps; from += STEPS_OF_PAPER) paper += picture(cores, from, Math.min(steps, from + STEPS_OF_PAPER));
  const lists = Array.from({length: steps}, (_, at) => `<li><b>step ${at}</b> ${sumsOf(at).map(box => sumText(box, core => ` (core ${core})`)).join(", ")}</li>`);
  return `${picture(cores, 0, steps, "plan")}<div class="paper">${paper}<ol class="sums">${lists.join("")}</ol></div>`;
}

// Values that the XORs of this step take from other cores, each as a line with a dot that runs along it. Lines lead behind
// boxes, so that one can read these.
function moves(now, isMoving) {
  let [ways, dots] = ["", ""];
  for (const box of now) {
    for (const operand of box.operands) {
      if (movedFrom(box, operand) === null) continue;
      const from = made.get(operand);
      const [x, y, toX, toY] = [rightOf(from), heightOfCore(from), leftOf(box), heightOfCore(box)];
      const way = `M${x} ${y}L${toX} ${toY}`;
      ways += `<path class="move around" d="${way}"/><path class="move ${inkOf(from)}" d="${way}"/>`;
      if (isMoving) dots += `<circle class="${inkOf(from)}" r="5"><animateMotion class="run" dur="0.5s" begin="indefinite" fill="freeze" path="${way}"/></circle>`;
    }
  }
  byId("ways").innerHTML = ways;
  byId("moves").innerHTML = dots;
  for (const run of byId("moves").querySelectorAll(".run")) run.beginElement();
}

function showStep(isMoving = false) {
  const now = boxes.filter(box => box.step === step);
  byId("now").setAttribute("x", LEFT + step * WIDTH);
  for (const one of byId("plan").querySelectorAll(".xor")) one.classList.toggle("later", Number(one.dataset.step) > step);
  moves(now, isMoving && !isStill());
  byId("step").value = step;
  byId("step-text").textContent = steps ? `step ${step}; the last is ${steps - 1}` : "no step";
  const cores = document_.plan.cores;
  byId("step-xors").hidden = !steps;
  byId("step-xors").innerHTML = Array.from({length: cores}, (_, core) => {
    const box = now.find(one => one.core === core);
    const head = `<b class="ink${core % 8}">core ${core}</b>`;
    if (!box) return `<li>${head} <span class="quiet">waits</span></li>`;
    const words = box.operands.map(operand => {
      const from = movedFrom(box, operand);
      return `<span class="e${from === null ? "" : ` moved ${inkOf({core: from})}`}" data-e="${operand}">${name(operand)}${from === null ? "" : ` from core ${from}`}</span>`;
    });
    return `<li>${head} <span class="e" data-e="${box.target}">${name(box.target)}</span> = ${words.join(" ⊕ ")}</li>`;
  }).join("");
  const place = byId("plan").closest(".wide");
  const x = LEFT + step * WIDTH;
  if (x < place.scrollLeft + LEFT || x + WIDTH > place.scrollLeft + place.clientWidth) place.scrollLeft = x - place.clientWidth / 2;
}

function go(to, isMoving = false) {
  step = Math.max(0, Math.min(steps - 1, to)); // 0 without steps
  showStep(isMoving);
}

function pause() {
  clearInterval(timer);
  timer = 0;
  if (byId("play")) byId("play").textContent = "Play";
}

function play() {
  if (timer) return pause();
  byId("play").textContent = "Pause";
  go(step === steps - 1 ? 0 : step, true);
  timer = setInterval(() => {
    if (step === steps - 1) return pause();
    go(step + 1, true);
  }, MILLISECONDS);
}

function read(document) {
  document_ = document;
  boxes = document.plan.steps.map(([core, at, target, operands]) => ({core, step: at, target, operands, whole: target}));
  made = new Map(boxes.map(box => [box.target, box]));
  const targets = new Set(document.equations.map(({target}) => target));
  // Partial sums have numbers of their own, after all elements of the program.
  for (const box of [...boxes].sort((a, b) => b.step - a.step)) {
    for (const operand of box.operands) {
      if (!targets.has(operand) && made.has(operand)) made.get(operand).whole = box.whole;
    }
  }
  const parts = new Map();
  for (const box of boxes.filter(isPartial)) {
    box.part = (parts.get(box.whole) ?? 0) + 1;
    parts.set(box.whole, box.part);
  }
  steps = stepsOf(document);
}

// The steps of a plan in a document.
const stepsOf = ({plan}) => plan.steps.reduce((most, [, at]) => Math.max(most, at + 1), 0);

// A part that is neither all nor nothing is said to be neither.
const percentText = part => (part > 0 && part < 0.005 ? "less than 1 %" : part < 1 && part >= 0.995 ? "more than 99 %" : `${Math.round(100 * part)} %`);

// What the names in boxes are.
function namesText(style, isOfView) {
  const partial = boxes.find(isPartial);
  const temporaries = document_.equations.filter(({target}) => isTemporary(document_, target));
  return (partial ? `Faint boxes make partial sums: ${name(partial.target)} is a ${term("partial sum")} of ${elementName(document_, partial.whole)}. ` : "") +
    (temporaries.length ? `A letter${temporaries.some(({target}) => elementName(document_, target).length > 1) ? ", or T and a number," : ""} is a sum that is needed later` : "") +
    (style === "direct" || !temporaries.length ? "" : isOfView ? ", as in the view Equations. " : "; the letters are not those of the view Equations, as these equations are made for this many cores. ");
}

// `other` is the plan of the equations in the view Equations, if this plan has others.
function showCounts(cores, isFound, other) {
  const {cost} = document_;
  for (const id of ["play", "back", "forth", "step"]) byId(id).disabled = !steps;
  if (!steps) {
    byId("plan-counts").textContent = "Nothing to compute: each redundant chunk is a copy.";
    return;
  }
  const idle = cores * steps - boxes.length;
  byId("plan-counts").innerHTML = `<b>${counted(steps, "step")}</b> on ${counted(cores, "core")}: ${counted(boxes.length, "XOR")}${isFound ? " (the equations that the search found)" : ""},
    ${counted(cost.moves[cores], "value moves", "values move")} between cores, and the cores wait ${percentText(idle / (cores * steps))} of the time.
    However many cores there are, it takes at least ${counted(cost.critical_path, "step")}: the ${term("critical path")} of these equations.
    ${other ? `The equations in the view Equations have ${counted(xorsOf(other), "XOR")} and take ${counted(stepsOf(other), "step")} here.` : ""}`;
}

async function directPlan(code, cores, compiler) {
  const question = {ask: "equations", code, style: "direct", cores};
  return {question, command: `xorloom equations ${quoted(code)} --style direct --cores ${cores}`, document: await compiler.json(question)};
}

// The plan of what a search found; else that of the equations in the view Equations, or of equations that are made for
// this many cores, which has fewer steps, or fewer XORs for as many. {question, command, document, isFound, isOfView,
// isStopped, other}: see showCounts. The command of a search that was stopped ends it.
async function iterativePlan(code, cores, compiler) {
  const best = found.get(code);
  const {text, command} = best ?? {text: await compiler.ask({ask: "equations", code, ...QUICK}), command: `xorloom equations ${quoted(code)} ${QUICK_OPTIONS}`};
  const given = {ask: "given", text, cores};
  const ofView = {
    question: given, command: `${command} --format json -o equations.json\nxorloom equations --equations equations.json --cores ${cores}`,
    document: await compiler.json(given), isFound: best && !best.ofPlan, isOfView: true, isStopped: best?.isStopped,
  };
  if (ofView.isFound) return ofView;
  const question = {ask: "equations", code, style: "iterative", effort: "fast", cores};
  const tailored = {question, command: `xorloom equations ${quoted(code)} --style iterative --effort fast --store off --cores ${cores}`, document: await compiler.json(question)};
  const [own, other] = [stepsOf(tailored.document), stepsOf(ofView.document)];
  if (other < own || (other === own && xorsOf(ofView.document) <= xorsOf(tailored.document))) return ofView;
  if (xorsOf(tailored.document) >= xorsOf(ofView.document)) return {...tailored, other: ofView.document};
  found.set(code, {text: await compiler.ask(question), command: tailored.command, ofPlan: {cores, quick: best?.ofPlan.quick ?? xorsOf(ofView.document)}});
  return tailored;
}

// Nothing yet, in the place of a plan. Nothing else moves when it comes.
function showPlanning(cores) {
  document_ = null;
  for (const id of ["play", "back", "forth", "step"]) byId(id).disabled = true;
  byId("plan-counts").textContent = `Planning on ${counted(cores, "core")} …`;
  byId("step-text").textContent = byId("plan-note").textContent = byId("plan-names").textContent = byId("cores-takeaway").innerHTML = "";
  byId("plan-note").hidden = byId("plan-place").hidden = byId("step-xors").hidden = false;
  byId("plan-place").style.minHeight = roomOf(cores);
  byId("plan-place").innerHTML = NO_PLAN;
  byId("step-xors").innerHTML = noXors(cores);
}

export const coresView = {
  start(view) {
    view.innerHTML = `<div class="controls"><label for="cores">Cores</label><input type="range" id="cores" min="1" max="${MOST_CORES}">
      <output id="cores-text" for="cores"></output>
      <fieldset class="choice"><legend>Equations</legend>
      <label><input type="radio" name="style" value="direct"> direct</label><label><input type="radio" name="style" value="iterative"> iterative</label></fieldset></div>
      <p id="plan-counts"></p>
      <p class="quiet small" id="plan-says">In a ${term("step")} each core computes at most one XOR of two values. A box is an XOR, with the name of what it makes and the color of its core.<span class="screen"> A box with a thin frame is of a later step. A line is a value that moves from one core to another.</span><span id="plan-names"></span></p>
      <div class="controls" role="group" aria-label="Steps"><button type="button" id="back" aria-label="One step back">‹</button>
      <button type="button" id="play" class="main">Play</button><button type="button" id="forth" aria-label="One step forth">›</button>
      <input type="range" id="step" min="0" aria-label="Step"><output id="step-text" for="step"></output></div>
      <div><div class="wide" id="plan-place" tabindex="0" aria-label="The plan" style="min-height:${roomOf(state.cores)}"></div><ul id="step-xors" class="steps" tabindex="0" aria-label="XORs of this step">${noXors(state.cores)}</ul>
      <p class="note quiet" id="plan-note" aria-live="polite">${HOW}</p></div>
      <div class="takeaway" id="cores-takeaway"></div>`;
    byId("cores").addEventListener("input", event => change({cores: Number(event.target.value)}));
    view.addEventListener("change", event => event.target.name === "style" && change({style: event.target.value}));
    byId("play").addEventListener("click", play);
    byId("back").addEventListener("click", () => (pause(), go(step - 1)));
    byId("forth").addEventListener("click", () => (pause(), go(step + 1, true)));
    byId("step").addEventListener("input", event => (pause(), go(Number(event.target.value))));
    byId("plan-place").addEventListener("click", event => {
      const box = event.target.closest(".xor");
      if (box) pause(), go(Number(box.dataset.step), true);
    });
    followElements(view, () => document_, byId("plan-note"), meaning);
  },

  async show(code, matrix, compiler) {
    const last = await isLast();
    pause();
    const {cores, style} = state;
    byId("cores").value = cores;
    byId("cores-text").textContent = cores;
    for (const radio of byId("view").querySelectorAll("[name=style]")) radio.checked = radio.value === style;
    const waiting = setTimeout(() => last() && byId("plan-place") && showPlanning(cores), PATIENCE);
    const planned = (style === "direct" ? directPlan : iterativePlan)(code, cores, compiler).finally(() => clearTimeout(waiting));
    const {question, command, document, isFound, isOfView, isStopped, other} = await planned;
    if (!last()) return;
    byId("plan-place").style.minHeight = roomOf(cores);
    read(document);
    showCounts(cores, isFound, other);
    byId("plan-names").innerHTML = ` ${namesText(style, isOfView)}`;
    byId("plan-note").textContent = HOW;
    for (const id of ["plan-note", "plan-place"]) byId(id).hidden = !steps;
    step = 0;
    byId("step").max = Math.max(0, steps - 1);
    const noPicture = noGraph(document);
    if (!steps || steps > MOST_STEPS) {
      byId("plan-place").innerHTML = `<p class="quiet">A plan of ${counted(steps, "step")} is too long to draw here: the ${noPicture ? "JSON" : "SVG"} has all of it.${steps ? " The XORs of a step are listed below." : ""}</p>${NO_PLAN}`;
      byId("plan-place").style.minHeight = "";
    } else {
      byId("plan-place").innerHTML = pictures(cores);
    }
    showStep();
    takeaway(byId("cores-takeaway"), command, {
      "SVG": noPicture || (async () => [fileName(code, `${cores}-cores.svg`), await compiler.ask({...question, format: "svg"}), "image/svg+xml"]),
      "JSON": async () => [fileName(code, `${cores}-cores.json`), await compiler.ask(question), "application/json"],
    }, {head: headOf(isStopped)});
    byId("view").dataset.shown = code;
  },

  hide: pause,
};
