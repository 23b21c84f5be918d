// The view that compares up to four codes in one chart for each figure.
import { Stopped } from "./compiler.js";
import { byId, escaped, latest } from "./dom.js";
import { change, state } from "./state.js";
import { download, quoted, takeaway } from "./takeaway.js";

const MOST_CODES = 4;
const LABEL = 26; // letters of a code below its bar
const isLast = latest();

// What codes are compared by: a title, the unit, and the value from a code's answers.
const FIGURES = [
  ["Storage", "bytes per byte of data", ({matrix}) => (matrix.locations * matrix.rows_of_location) / matrix.inputs.length],
  ["Repair of location 0", "bytes read per byte rebuilt", ({reads}) => reads.bytes_per_byte],
  ["Direct", "XORs per redundant bit", ({matrix, direct}) => direct.cost.xors / matrix.outputs.length],
  ["Iterative", "XORs per redundant bit", ({matrix, iterative}) => iterative.cost.xors / matrix.outputs.length],
];

async function answers(compiler, code) {
  const [matrix, reads, direct, iterative] = await Promise.all([
    compiler.json({ask: "matrix", code}),
    compiler.json({ask: "reads", code, erase: [0]}),
    compiler.json({ask: "equations", code}),
    compiler.json({ask: "equations", code, style: "iterative", effort: "fast"}),
  ]);
  return {code, matrix, reads, direct, iterative};
}

const shortName = code => (code.length > LABEL ? `${code.slice(0, LABEL - 1)}…` : code);

function rows(found) {
  const head = `<tr><th scope="col">Code</th>${FIGURES.map(([title, unit]) => `<th scope="col">${title}<small>${unit}</small></th>`).join("")}<td></td></tr>`;
  const lines = found.map(({code, answer, error}, i) => {
    const name = `<th scope="row"><a href="#code=${encodeURIComponent(code)}" data-code="${escaped(code)}">${escaped(code)}</a></th>`;
    const cells = error
      ? `<td colspan="${FIGURES.length}" class="error">${escaped(error)}</td>`
      : FIGURES.map(([, , value]) => `<td>${value(answer).toFixed(2)}</td>`).join("");
    return `<tr>${name}${cells}<td><button type="button" data-remove="${i}" aria-label="Remove ${escaped(code)}">×</button></td></tr>`;
  });
  return `<table><thead>${head}</thead><tbody>${lines.join("")}</tbody></table>`;
}

async function charts(compiler, good) {
  return Promise.all(
    FIGURES.map(([title, unit, value]) =>
      compiler.ask({ask: "bars", title, value_title: unit, decimals: 1, categories: good.map(({code}) => shortName(code)), values: good.map(({answer}) => value(answer))})));
}

export const compareView = {
  start(view) {
    view.innerHTML = `<p>Up to ${MOST_CODES} codes, by what they store, read and compute.</p>
      <div class="controls"><label for="added" class="hidden">A code to add</label><input id="added" spellcheck="false" autocomplete="off" placeholder="lrc:k=8,m=4,l=3" maxlength="500">
      <button type="button" id="add" class="main">Add</button><button type="button" id="add-this">Add the chosen code</button></div>
      <p id="compare-said" class="quiet" role="status"></p><div class="wide" id="table"></div><div class="charts" id="charts"></div><div class="takeaway" id="compare-takeaway"></div>`;
    const add = code => {
      if (!code || state.compare.includes(code)) return;
      if (state.compare.length >= MOST_CODES) return void (byId("compare-said").textContent = `${MOST_CODES} codes are compared already: remove one first.`);
      change({compare: [...state.compare, code]});
    };
    byId("add").addEventListener("click", () => add(byId("added").value.trim()));
    byId("added").addEventListener("keydown", event => event.key === "Enter" && add(event.target.value.trim()));
    byId("add-this").addEventListener("click", () => add(state.code));
    view.addEventListener("click", event => {
      const remove = event.target.closest("[data-remove]");
      const link = event.target.closest("[data-code]");
      if (remove) change({compare: state.compare.filter((_, i) => i !== Number(remove.dataset.remove))});
      if (link) event.preventDefault(), change({code: link.dataset.code, view: "equations"});
    });
  },

  async show(code, matrix, compiler) {
    const last = await isLast();
    const codes = [...state.compare];
    byId("compare-said").textContent = codes.length ? "Comparing …" : "No codes yet: add one.";
    const found = [];
    for (const one of codes) {
      try {
        found.push({code: one, answer: await answers(compiler, one)});
      } catch (error) {
        if (error instanceof Stopped) return;
        found.push({code: one, error: error.message});
      }
      if (!last()) return;
    }
    byId("table").innerHTML = found.length ? rows(found) : "";
    const good = found.filter(({answer}) => answer);
    const drawn = good.length ? await charts(compiler, good) : [];
    if (!last()) return;
    byId("charts").innerHTML = drawn
      .map((svg, i) => `<figure><img alt="${FIGURES[i][0]}, ${FIGURES[i][1]}" src="data:image/svg+xml,${encodeURIComponent(svg)}"><button type="button" data-chart="${i}">SVG</button></figure>`)
      .join("");
    byId("charts").onclick = event => {
      const button = event.target.closest("[data-chart]");
      if (button) download(`${FIGURES[button.dataset.chart][0].toLowerCase().replaceAll(" ", "-")}.svg`, drawn[button.dataset.chart], "image/svg+xml");
    };
    byId("compare-said").textContent = "";
    if (good.length) {
      takeaway(byId("compare-takeaway"), `xorloom codes ${good.map(one => quoted(one.code)).join(" ")} --erase 0`, {
        "CSV": async () => ["codes.csv", ["code", ...FIGURES.map(([title, unit]) => `${title} (${unit})`)].join(";") + "\n" +
          good.map(({code: name, answer}) => [name, ...FIGURES.map(([, , value]) => value(answer))].join(";")).join("\n") + "\n", "text/csv"],
      });
    } else {
      byId("compare-takeaway").innerHTML = "";
    }
    byId("view").dataset.shown = code;
  },
};
