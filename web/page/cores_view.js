// The view of a plan: which core computes which XOR in which step, and what moves between cores.
import { byId, counted, escaped, latest } from "./dom.js";
import { elementMeaning, elementName } from "./equation_list.js";
import { term } from "./glossary.js";
import { change, state } from "./state.js";
import { fileName, quoted, takeaway } from "./takeaway.js";

const MOST_CORES = 16;
const MOST_STEPS = 400;
const WIDTH = 46; // of a step, in pixels
const HEIGHT = 40; // of a core
const LEFT = 64;
const TOP = 22;
const MILLISECONDS = 700; // of a step while it plays

const isLast = latest();
let document_ = null;
let boxes = []; // {core, step, target, operands}
let made = new Map(); // by element: the box that computes it
let step = 0;
let timer = 0;
let steps = 0;

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const middle = box => [LEFT + (box.step + 0.5) * WIDTH, TOP + (box.core + 0.5) * HEIGHT];

function name(element) {
  // Partial sums have numbers of their own, after all elements of the program.
  const known = document_.equations.some(({target}) => target === element);
  const cells = document_.locations * document_.rows;
  return element < cells || known ? elementName(document_, element) : "·";
}

function boxSvg(box) {
  const isDone = document_.equations.some(({target}) => target === box.target);
  const x = LEFT + box.step * WIDTH + 3;
  const y = TOP + box.core * HEIGHT + 4;
  return `<g class="xor ink${box.ink}${isDone ? "" : " partial"}" data-step="${box.step}">
    <rect x="${x}" y="${y}" width="${WIDTH - 6}" height="${HEIGHT - 8}" rx="5"/>
    <text x="${x + WIDTH / 2 - 3}" y="${y + HEIGHT / 2 + 1}">${isDone ? name(box.target) : "+"}</text></g>`;
}

const heightOf = cores => TOP + Math.min(cores, MOST_CORES) * HEIGHT + 4;

function picture(cores) {
  const width = LEFT + steps * WIDTH + 4;
  const height = heightOf(cores);
  const heads = Array.from({length: steps}, (_, i) => `<text class="head" x="${LEFT + (i + 0.5) * WIDTH}" y="14">${i + 1}</text>`);
  const rows = Array.from({length: cores}, (_, i) => `<text class="core" x="4" y="${TOP + (i + 0.5) * HEIGHT + 5}">core ${i}</text>
    <path class="row" d="M${LEFT} ${TOP + (i + 1) * HEIGHT}H${width}"/>`);
  const label = `Plan of ${steps} steps on ${cores} cores`;
  return `<svg class="plan" id="plan" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(label)}">
    ${heads.join("")}${rows.join("")}<rect class="now" id="now" y="${TOP}" width="${WIDTH}" height="${cores * HEIGHT}"/>
    ${boxes.map(boxSvg).join("")}<g id="moves"></g></svg>`;
}

// Values that the XORs of this step take from other cores, each as a line with a dot that runs along it.
function moves(now, isMoving) {
  let drawn = "";
  for (const box of now) {
    for (const operand of box.operands) {
      const from = made.get(operand);
      if (!from || from.core === box.core) continue;
      const [x, y] = middle(from);
      const [toX, toY] = middle(box);
      const way = `M${x} ${y}L${toX} ${toY}`;
      drawn += `<path class="move ink${from.ink}" d="${way}"/>`;
      if (isMoving) drawn += `<circle class="ink${from.ink}" r="5"><animateMotion class="run" dur="0.5s" begin="indefinite" fill="freeze" path="${way}"/></circle>`;
    }
  }
  byId("moves").innerHTML = drawn;
  for (const run of byId("moves").querySelectorAll(".run")) run.beginElement();
}

function showStep(isMoving = false) {
  const now = boxes.filter(box => box.step === step);
  byId("now").setAttribute("x", LEFT + step * WIDTH);
  for (const one of byId("plan").querySelectorAll(".xor")) one.classList.toggle("later", Number(one.dataset.step) > step);
  moves(now, isMoving && !isStill());
  byId("step").value = step + 1;
  byId("step-text").textContent = `step ${step + 1} of ${steps}`;
  const cores = document_.plan.cores;
  byId("step-xors").innerHTML = Array.from({length: Math.min(cores, MOST_CORES)}, (_, core) => {
    const box = now.find(one => one.core === core);
    if (!box) return `<li><b>core ${core}</b> <span class="quiet">waits</span></li>`;
    const words = box.operands.map(operand => {
      const from = made.get(operand);
      const isMoved = from && from.core !== core;
      const text = name(operand) === "·" ? `partial of core ${from.core}` : name(operand);
      return `<span class="${isMoved ? "moved" : ""}" title="${escaped(elementMeaning(document_, operand))}">${text}${isMoved ? ` from core ${from.core}` : ""}</span>`;
    });
    return `<li><b>core ${core}</b> ${name(box.target) === "·" ? "partial" : name(box.target)} = ${words.join(" ⊕ ")}</li>`;
  }).join("");
  const place = byId("plan").closest(".wide");
  const x = LEFT + step * WIDTH;
  if (x < place.scrollLeft + LEFT || x + WIDTH > place.scrollLeft + place.clientWidth) place.scrollLeft = x - place.clientWidth / 2;
}

function go(to, isMoving = false) {
  step = Math.max(0, Math.min(steps - 1, to));
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
  const equationOf = new Map();
  boxes = document.plan.steps.map(([core, at, target, operands]) => ({core, step: at, target, operands, ink: 0}));
  made = new Map(boxes.map(box => [box.target, box]));
  // A partial sum has the color of the equation that it ends in.
  document.equations.forEach(({target}, i) => equationOf.set(target, i));
  const ordered = [...boxes].sort((a, b) => b.step - a.step);
  for (const box of ordered) {
    if (equationOf.has(box.target)) box.ink = equationOf.get(box.target) % 8;
    for (const operand of box.operands) {
      if (!equationOf.has(operand) && made.has(operand)) made.get(operand).ink = box.ink;
    }
  }
  steps = Math.max(0, ...boxes.map(box => box.step + 1));
}

function showCounts(cores) {
  const {cost} = document_;
  const idle = cores * steps - boxes.length;
  byId("plan-counts").innerHTML = `<b>${counted(steps, "step")}</b> on ${counted(cores, "core")}: ${counted(boxes.length, "XOR")},
    ${counted(cost.moves[cores], "value moves", "values move")} between cores, and the cores wait ${Math.round((100 * idle) / (cores * steps))} % of the time.
    However many cores there are, it takes at least ${counted(cost.critical_path, "step")}: the ${term("critical path")} of these equations.`;
}

export const coresView = {
  start(view) {
    view.innerHTML = `<div class="controls"><label for="cores">Cores</label><input type="range" id="cores" min="1" max="${MOST_CORES}">
      <output id="cores-text" for="cores"></output>
      <fieldset class="choice"><legend>Equations</legend>
      <label><input type="radio" name="style" value="direct"> direct</label><label><input type="radio" name="style" value="iterative"> iterative</label></fieldset></div>
      <p id="plan-counts"></p>
      <p class="quiet small">In a ${term("step")} each core computes one XOR of two values. A box is an XOR, with the ${term("element")} that it makes; + is a ${term("partial sum")}. A line is a value that moves from one core to another.</p>
      <div class="controls" role="group" aria-label="Steps"><button type="button" id="back" aria-label="One step back">‹</button>
      <button type="button" id="play" class="main">Play</button><button type="button" id="forth" aria-label="One step forth">›</button>
      <input type="range" id="step" min="1" aria-label="Step"><output id="step-text" for="step"></output></div>
      <div class="wide" id="plan-place" tabindex="0" aria-label="The plan" style="min-height:${heightOf(state.cores) + 4}px"></div><ul id="step-xors" class="steps"></ul>
      <div class="takeaway" id="cores-takeaway"></div>`;
    byId("cores").addEventListener("input", event => change({cores: Number(event.target.value)}));
    view.addEventListener("change", event => event.target.name === "style" && change({style: event.target.value}));
    byId("play").addEventListener("click", play);
    byId("back").addEventListener("click", () => (pause(), go(step - 1)));
    byId("forth").addEventListener("click", () => (pause(), go(step + 1, true)));
    byId("step").addEventListener("input", event => (pause(), go(Number(event.target.value) - 1)));
    byId("plan-place").addEventListener("click", event => {
      const box = event.target.closest(".xor");
      if (box) pause(), go(Number(box.dataset.step), true);
    });
  },

  async show(code, matrix, compiler) {
    const last = await isLast();
    pause();
    const {cores, style} = state;
    byId("cores").value = cores;
    byId("plan-place").style.minHeight = `${heightOf(cores) + 4}px`;
    byId("cores-text").textContent = cores;
    for (const radio of byId("view").querySelectorAll("[name=style]")) radio.checked = radio.value === style;
    const effort = style === "iterative" ? {effort: "fast"} : {};
    const question = {ask: "equations", code, style, cores, ...effort};
    const document = await compiler.json(question);
    if (!last()) return;
    read(document);
    showCounts(cores);
    step = 0;
    byId("step").max = steps;
    if (steps > MOST_STEPS) {
      byId("plan-place").innerHTML = `<p class="quiet">A plan of ${steps} steps is too long to draw here: the SVG has all of it.</p><svg id="plan"><rect id="now"/><g id="moves"></g></svg>`;
    } else {
      byId("plan-place").innerHTML = picture(cores);
    }
    showStep();
    const command = `xorloom equations ${quoted(code)} --style ${style}${style === "iterative" ? " --effort fast --store off" : ""} --cores ${cores}`;
    takeaway(byId("cores-takeaway"), command, {
      "SVG": async () => [fileName(code, `${cores}-cores.svg`), await compiler.ask({...question, format: "svg"}), "image/svg+xml"],
      "JSON": async () => [fileName(code, `${cores}-cores.json`), await compiler.ask(question), "application/json"],
    });
    byId("view").dataset.shown = code;
  },

  hide: pause,
};
