// The view that compares up to four codes in one chart for each figure.
import { Compiler, Stopped } from "./compiler.js";
import { PATIENCE, byId, counted, escaped, latest, raised, ratio } from "./dom.js";
import { parsedSpec, survivalText } from "./form.js";
import { explained, term } from "./glossary.js";
import { QUICK, QUICK_OPTIONS, change, found, state } from "./state.js";
import { download, quoted, takeaway } from "./takeaway.js";

const MOST_CODES = 4;
// What a code survives may take seconds: that has a worker of its own.
const decider = new Compiler();
const isLast = latest();
let focusAfter = null; // the number of the code that was removed
const known = new Map(); // by code: its last answer
let refused = ""; // why specs of the address are no codes
const inks = new Map(); // by code: the number of its color, which it keeps while others come and go

// What codes are compared by: a title, the unit, the value from a code's answers, null if a code has no equations, and
// whether it is the least possible.
const FIGURES = [
  ["Storage", "bytes per byte of data", ({matrix}) => (matrix.locations * matrix.rows_of_location) / matrix.inputs.length],
  ["Repair of chunk 0", "bytes read per byte rebuilt", ({reads}) => reads.bytes_per_byte, ({reads}) => reads.is_fewest],
  ["Direct", "XORs per redundant bit", ({matrix, direct}) => direct && direct.cost.xors / matrix.outputs.length],
  ["Iterative, the fewest found", "XORs per redundant bit", ({matrix, iterative}) => iterative && iterative.cost.xors / matrix.outputs.length, ({matrix, iterative}) => !iterative || iterative.cost.xors <= matrix.bound],
];

// Words of the table that the glossary explains.
const TERMS = {"Survives any": term("survives any", "Survives any"), Direct: term("direct", "Direct"), Iterative: term("iterative", "Iterative"), "redundant bit": term("redundant bit")};

// A cell of a CSV file.
const csvWord = value => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : String(value));

const sayRefused = sentence => (byId("compare-refused").innerHTML = raised(escaped(sentence)));

// Why a spec makes no code, or nothing.
async function refusalOf(compiler, code) {
  try {
    await compiler.ask({ask: "matrix", code});
    return "";
  } catch (error) {
    if (error instanceof Stopped) throw error;
    return `${code}: ${error.message}.`;
  }
}

// What tells that a code is among others, if perhaps in other words, or nothing: rs:4,2 is rs:m=2,k=4.
function repeated(code, others) {
  const plain = one => JSON.stringify([parsedSpec(one).family, ...Object.entries(parsedSpec(one).values).sort()]);
  const place = others.findIndex(one => plain(one) === plain(code));
  return place < 0 ? "" : `${code} is compared already: it is number ${place + 1}.`;
}

async function answers(compiler, code) {
  const matrix = await compiler.json({ask: "matrix", code});
  const [reads, direct, iterative] = await Promise.all([
    compiler.json({ask: "reads", code, erase: [0]}),
    matrix.unwritten ? null : compiler.json({ask: "equations", code}),
    matrix.unwritten ? null : found.has(code) ? JSON.parse(found.get(code).text) : compiler.json({ask: "equations", code, ...QUICK}),
  ]);
  return {code, matrix, reads, direct, iterative};
}

function shown([, , value, isLeast], answer) {
  const number = value(answer);
  return number === null ? "–" : `${isLeast && !isLeast(answer) ? "≤\u00a0" : ""}${ratio(number)}`;
}

// The table of codes, each with an answer, an error or, while it is compared, neither.
function rows(compared) {
  const head = explained(`<tr><td></td><th scope="col">Code</th><th scope="col">Survives any</th>${FIGURES.map(([title, unit]) => `<th scope="col">${title}<small>${unit}</small></th>`).join("")}<td></td></tr>`, TERMS);
  const good = compared.filter(({answer}) => answer);
  const lines = compared.map((one, i) => {
    const {code, answer, error} = one;
    const figureOf = figure => (answer ? shown(figure, answer) : "…");
    const name = `<td class="number"><b class="ink${inks.get(code)}">${i + 1}</b></td><th scope="row"><a href="#code=${encodeURIComponent(code)}" data-code="${escaped(code)}">${escaped(code)}</a></th>`;
    const cells = error
      ? `<td colspan="${FIGURES.length + 1}" class="error">${escaped(error)}</td>`
      : `<td data-title="Survives any" data-survives="${escaped(code)}">…</td>` +
        FIGURES.map(figure => `<td data-title="${figure[0]}, ${figure[1]}">${figureOf(figure)}</td>`).join("");
    return `<tr>${name}${cells}<td><button type="button" data-remove="${i}" aria-label="Remove ${escaped(code)}">×</button></td></tr>`;
  });
  return `<p class="of-cards quiet small">Words in the cards: ${explained(Object.keys(TERMS).join(", "), TERMS)}.</p><table><thead>${head}</thead><tbody>${lines.join("")}</tbody></table>
    <p class="quiet small">≤: the least found, not proved to be the least possible. "At least": what the code promises to survive. ${good.some(({answer}) => answer.matrix.unwritten) ? "–: too many XORs for equations in this page. " : ""}The numbers of the codes stand below the bars.</p>`;
}

// The figures that a code has at all.
const drawnFigures = good => FIGURES.filter(([, , value]) => good.some(({answer}) => value(answer) !== null));

// The questions for the charts. Those of one unit have one scale.
function charts(compared) {
  const good = compared.map(({code, answer}, i) => ({code, answer, number: String(i + 1)})).filter(({answer}) => answer);
  const values = value => good.map(({answer}) => (value(answer) === null ? null : Number(ratio(value(answer)))));
  const figures = drawnFigures(good);
  return figures.map(([title, unit, value, isLeast = () => true]) => ({
    ask: "bars", title, value_title: unit, decimals: 1, categories: good.map(({number}) => number), inks: good.map(({code}) => inks.get(code)), values: values(value),
    at_most: [...good.keys()].filter(i => !isLeast(good[i].answer)), holds: Math.max(...figures.filter(other => other[1] === unit).flatMap(other => values(other[2]))),
  }));
}

// Colors for codes: a code that is new gets the first one that no other has.
function giveInks(codes) {
  for (const code of inks.keys()) if (!codes.includes(code)) inks.delete(code);
  for (const code of codes) {
    if (!inks.has(code)) inks.set(code, codes.findIndex((_, ink) => ![...inks.values()].includes(ink)));
  }
}

// The commands with the XORs and the repairs of the table.
function commands(good) {
  const isWritten = ({answer}) => !answer.matrix.unwritten;
  const written = good.filter(isWritten).map(({code}) => quoted(code));
  const files = good.filter(({code}) => found.has(code)).map(({code}, i) => [`${found.get(code).command} --format json -o equations-${i + 1}.json`, `--equations equations-${i + 1}.json`]);
  const repairs = (codes, over) => (codes.length ? [`for code in ${codes.join(" ")}; do xorloom equations "$code"${over} --erase 0 --reads min | grep -e ^code -e reads; done`] : []);
  return [
    ...files.map(([command]) => command),
    ...(written.length ? [["xorloom report", ...written, ...files.map(([, option]) => option), QUICK_OPTIONS.replace("--style iterative ", "")].join(" ")] : []),
    ...repairs(written, ""), ...repairs(good.filter(one => !isWritten(one)).map(({code}) => quoted(code)), " --over symbols"),
  ].join("\n");
}

// Fills in what the codes survive; returns it by code.
async function showSurvivals(good, last) {
  const survivals = new Map();
  for (const {code} of good) {
    try {
      survivals.set(code, survivalText((await decider.json({ask: "code", code})).survives));
    } catch (error) {
      if (error instanceof Stopped) return survivals;
      survivals.set(code, "not known");
    }
    if (!last()) return survivals;
    for (const cell of document.querySelectorAll("[data-survives]")) {
      if (cell.dataset.survives === code) cell.textContent = survivals.get(code);
    }
  }
  return survivals;
}

export const compareView = {
  start(view, compiler) {
    view.innerHTML = `<p>Up to ${MOST_CODES} codes, by what they survive, store, read and compute.</p>
      <div class="controls"><label for="added" class="hidden">A code to add</label><input id="added" spellcheck="false" autocomplete="off" placeholder="shec:k=8,m=4,c=3" maxlength="500">
      <button type="button" id="add" class="main">Add</button><button type="button" id="add-this">Add the chosen code</button></div>
      <p id="compare-refused" class="error" role="alert"></p><p id="compare-said" class="quiet" role="status"></p><div class="wide" id="table"></div><div class="charts" id="charts"></div><div class="takeaway" id="compare-takeaway"></div>`;
    // Why a code gets no row of the table, or nothing.
    const noRow = code => !code ? "Write the spec of a code first, such as lrc:k=8,m=4,l=3."
      : repeated(code, state.compare) || (state.compare.length >= MOST_CODES ? `${MOST_CODES} codes are compared already: remove one first.` : "");
    const add = async code => {
      const early = () => Promise.race([refusalOf(compiler, code).catch(() => ""), new Promise(resolve => setTimeout(resolve, PATIENCE))]);
      const sentence = noRow(code) || await early() || noRow(code);
      if (!byId("compare-refused")) return; // another view was chosen
      sayRefused(sentence);
      if (sentence) return;
      if (byId("added").value.trim() === code) byId("added").value = "";
      change({compare: [...state.compare, code]});
    };
    byId("add").addEventListener("click", () => add(byId("added").value.trim()));
    byId("added").addEventListener("keydown", event => event.key === "Enter" && add(event.target.value.trim()));
    byId("add-this").addEventListener("click", () => add(state.code));
    view.addEventListener("click", event => {
      const remove = event.target.closest("[data-remove]");
      const link = event.target.closest("[data-code]");
      if (remove) focusAfter = Number(remove.dataset.remove), change({compare: state.compare.filter((_, i) => i !== focusAfter)});
      if (link) event.preventDefault(), change({code: link.dataset.code, view: "equations"}, true), byId("view").focus();
    });
  },

  async show(code, matrix, compiler) {
    const last = await isLast();
    const codes = [...state.compare];
    if (refused || codes.length < MOST_CODES) sayRefused(refused);
    refused = "";
    const compared = [];
    const wrong = [];
    const before = byId("table").querySelectorAll("tbody tr").length;
    if (before && before !== codes.length) { // the charts move at once, and not later
      giveInks(codes);
      byId("table").innerHTML = codes.length ? rows(codes.map(one => ({code: one, answer: known.get(one)}))) : "";
    }
    for (const one of codes) {
      byId("compare-said").textContent = `Comparing … ${compared.length} of ${counted(codes.length, "code")} done.`;
      try {
        const refusal = repeated(one, compared.map(({code: before}) => before)) || await refusalOf(compiler, one);
        if (refusal) {
          wrong.push(refusal);
          continue;
        }
        known.set(one, await answers(compiler, one));
        compared.push({code: one, answer: known.get(one)});
      } catch (error) {
        if (error instanceof Stopped) return;
        compared.push({code: one, error: error.message});
      }
      if (!last() || !byId("table")) return;
      if (before || wrong.length) continue; // the old rows stay
      giveInks(codes);
      byId("table").innerHTML = rows(compared);
    }
    if (wrong.length) { // only codes have rows
      refused = wrong.join(" ");
      change({compare: compared.map(({code: one}) => one)});
      return;
    }
    giveInks(codes);
    byId("table").innerHTML = compared.length ? rows(compared) : "";
    if (focusAfter !== null && document.activeElement === document.body) {
      const removers = byId("table").querySelectorAll("[data-remove]");
      (removers[Math.min(focusAfter, removers.length - 1)] ?? byId("added")).focus();
    }
    focusAfter = null;
    const good = compared.filter(({answer}) => answer);
    const survivals = showSurvivals(good, last);
    const questions = good.length ? charts(compared) : [];
    const drawn = await Promise.all(questions.map(question => compiler.ask(question)));
    if (!last() || !byId("charts")) return;
    const titles = drawnFigures(good);
    byId("charts").innerHTML = drawn
      .map((svg, i) => `<figure><img alt="${titles[i][0]}, ${titles[i][1]}" src="data:image/svg+xml,${encodeURIComponent(svg)}"><button type="button" data-chart="${i}" aria-label="SVG of ${titles[i][0]}">SVG</button></figure>`)
      .join("");
    byId("charts").onclick = async event => {
      const at = event.target.closest("[data-chart]")?.dataset.chart;
      if (!at) return;
      // A file has no table beside it.
      const svg = await compiler.ask({...questions[at], meanings: good.map(one => one.code)}).catch(() => drawn[at]);
      download(`${titles[at][0].toLowerCase().replaceAll(/[ ,]+/g, "-")}.svg`, svg, "image/svg+xml");
    };
    byId("compare-said").textContent = codes.length ? "" : "No codes yet: add one.";
    if (good.length) {
      takeaway(byId("compare-takeaway"), commands(good), {
        "CSV": async () => {
          const known = await survivals;
          const head = ["code", "survives any (losses)", ...FIGURES.flatMap(([title, unit, , isLeast]) => [`${title} (${unit})`, ...(isLeast ? [`${title}: is it the least?`] : [])])];
          const lines = good.map(({code: name, answer}) =>
            [name, known.get(name).replace(/ loss(es)?$/, ""), ...FIGURES.flatMap(([, , value, isLeast]) => {
              const [number, isNone] = [value(answer), value(answer) === null];
              return [isNone ? "" : ratio(number), ...(isLeast ? [isNone ? "" : isLeast(answer) ? "proved" : "not proved"] : [])];
            })]);
          return ["codes.csv", [head, ...lines].map(line => `${line.map(csvWord).join(",")}\n`).join(""), "text/csv"];
        },
      }, {head: `${good.every(one => one.answer.matrix.unwritten) ? "The repairs" : "XORs and repairs"} in a terminal${good.some(one => found.get(one.code)?.isStopped) ? ": with the whole search, which may find fewer XORs" : ""}`});
    } else {
      byId("compare-takeaway").innerHTML = "";
    }
    byId("view").dataset.shown = code;
  },

  hide: () => decider.stop(),
};
