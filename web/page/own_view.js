// The view of what someone pastes: a 0/1 matrix, which is optimized, or equations, which are checked and proved.
import { Stopped } from "./compiler.js";
import { byId, counted, escaped, latest, runText, showSentence } from "./dom.js";
import { equationList, followElements, rolesOf, workText } from "./equation_list.js";
import { term } from "./glossary.js";
import { noGraph } from "./picture_bounds.js";
import { state } from "./state.js";
import { quoted, takeaway } from "./takeaway.js";

const MOST_BYTES = 1 << 20;
const MOST_SENTENCE = `this page reads at most ${counted(MOST_BYTES, "byte")}: the program takes more.`;
const MATRIX = "111100\n110011\n101010\n011001\n";
let pasted = MATRIX; // the text and whether the code is meant, which stay while other views are shown
let isOfCode = false;
let replaced = ""; // the text before
let result = null;
let theCompiler = null;

// Whether a text is a matrix, if perhaps a wrong one: equations have an equals sign, and JSON a brace.
const isMatrix = text => text.trim() !== "" && !/[={\0]/.test(text.replace(/#.*/g, "").slice(0, 10000));

const isLast = latest();

// Says a sentence in place of a result.
function say(sentence, isError = false) {
  result = null;
  byId("own-takeaway").innerHTML = byId("own-note").textContent = "";
  showSentence(byId("own-result"), sentence, isError);
}

// Says why a text does not get into the box. A result that is computed does not take the place of this.
function refuse(sentence) {
  void isLast();
  say(sentence, true);
}

const tooLong = (what, number, unit) => `${what} ${counted(number, unit)}, and ${MOST_SENTENCE}`;

// The result is not that of another text.
function textChanged() {
  void isLast();
  byId("of-code").disabled = isMatrix(byId("pasted").value); // a matrix is proved against itself
  say("The text has changed: choose Compute.");
}

// Puts a text in place of the one in the box, which a button then brings back. Browsers that can undo an insertion by a
// script take minutes for a long text.
function replaceText(text) {
  replaced = byId("pasted").value;
  byId("bring-back").hidden = !replaced;
  byId("pasted").value = text;
  textChanged();
}

// Takes the text of a file that is dropped.
async function take(file) {
  if (file.size > MOST_BYTES) return refuse(tooLong("The file has", file.size, "byte"));
  const last = await isLast();
  const bytes = await file.arrayBuffer().catch(() => null);
  if (!last() || !byId("pasted")) return; // another text or view was chosen
  if (!bytes) return refuse(`${file.name} cannot be read.`);
  let text = "";
  try {
    text = new TextDecoder("utf-8", {fatal: true}).decode(bytes);
  } catch {
    return refuse(`${file.name} is no text in UTF-8: save it in UTF-8 first.`);
  }
  replaceText(text);
}

async function check() {
  const last = await isLast();
  const text = byId("pasted").value;
  const place = byId("own-result");
  if (!text.trim()) return say("Paste a matrix of 0s and 1s, or equations.");
  const bytes = new Blob([text]).size;
  if (bytes > MOST_BYTES) return say(tooLong("The text has", bytes, "byte"), true);
  say("Computing …");
  theCompiler.stopSlow();
  const matrix = isMatrix(text);
  const named = byId("of-code").checked && !matrix ? {code: state.code} : {};
  const question = matrix ? {ask: "optimize", text, effort: "normal"} : {ask: "given", text, ...named};
  try {
    const answer = await theCompiler.json(question);
    const isOfCode = answer.code && !answer.reads;
    const ofCode = isOfCode && await theCompiler.json({ask: "matrix", code: answer.code.spec}).catch(() => null);
    if (!last() || !byId("own-result")) return; // another text or view was chosen
    result = isOfCode ? {...answer, roles: rolesOf(answer, ofCode)} : answer;
    const isProved = matrix || result.proof?.holds;
    const against = matrix ? "the matrix" : result.code?.spec ?? "";
    const {inputs, outputs} = result;
    const numbering = matrix
      ? `<p class="quiet small">Columns are the inputs: ${runText(inputs)}. Rows are the outputs after them: ${runText(outputs)}. Equations stand in the order in which they are computed.</p>` : "";
    place.innerHTML = `<h2>${workText(result)}</h2><p>${isProved
      ? `<span class="proved">✓ ${term("proof", "proved", matrix ? "with the matrix above" : "")}</span> against ${escaped(against)}`
      : `These equations are well formed. They name no code: choose the box above to prove them against the chosen code.`}</p>${numbering}${equationList(result)}`;
    byId("own-note").textContent = "Point at a number or a letter, or use the arrow keys in the list, to see what it is and all its uses.";
    const command = matrix ? "xorloom optimize matrix.txt --store off" : `xorloom equations ${named.code ? `${quoted(named.code)} ` : ""}--equations equations.txt`;
    takeaway(byId("own-takeaway"), command, {
      "SVG": noGraph(result) || (async () => ["equations.svg", await theCompiler.ask({...question, format: "svg"}), "image/svg+xml"]),
      "JSON": async () => ["equations.json", await theCompiler.ask(question), "application/json"],
      "Text": async () => ["equations.txt", await theCompiler.ask({...question, format: "text"})],
      ...(matrix ? {"Matrix": async () => ["matrix.txt", text]} : {}),
    }, {head: `In a terminal, with the text above in ${matrix ? "matrix.txt" : "equations.txt"}`});
  } catch (error) {
    if (!last() || !place.isConnected) return;
    const isStopped = error instanceof Stopped;
    say(isStopped ? "Stopped, as another code was chosen: choose Compute." : error.message, !isStopped);
  }
}

export const ownView = {
  start(view, compiler) {
    theCompiler = compiler;
    view.innerHTML = `<p class="how">Paste a matrix, a line of 0s and 1s for each output, and the page finds equations with few XORs. A line with its numbers of rows and columns may come first.
      Or paste equations, such as <code>16 = XOR(0,8)</code> or <code>16 = 0 ⊕ 8</code>, and the page checks them. It proves them if they name a code, or against the chosen one. A file with either can be dropped into the box.</p>
      <label for="pasted" class="hidden">A matrix or equations</label><textarea id="pasted" rows="9" spellcheck="false" autocapitalize="off"></textarea>
      <div class="controls"><button type="button" id="check" class="main">Compute</button>
      <label><input type="checkbox" id="of-code"> prove equations against the chosen code</label>
      <button type="button" id="paste-equations">Replace by the equations of the chosen code</button>
      <button type="button" id="bring-back" hidden>Bring back the text before</button></div>
      <div><div id="own-result" aria-live="polite"></div><p class="note quiet" id="own-note" aria-live="polite"></p></div><div class="takeaway" id="own-takeaway"></div>`;
    byId("pasted").value = pasted;
    byId("of-code").checked = isOfCode;
    byId("of-code").disabled = isMatrix(pasted);
    byId("check").addEventListener("click", check);
    byId("pasted").addEventListener("input", textChanged);
    byId("pasted").addEventListener("beforeinput", event => {
      // A text area of many megabytes stops the whole page.
      const text = event.data ?? event.dataTransfer?.getData("text/plain") ?? "";
      if (text.length <= MOST_BYTES) return;
      event.preventDefault();
      refuse(tooLong("The text has", text.length, "letter"));
    });
    byId("pasted").addEventListener("drop", event => {
      const file = event.dataTransfer.files[0];
      if (file) event.preventDefault(), void take(file);
    });
    void check();
    byId("paste-equations").addEventListener("click", async () => {
      try {
        const text = await theCompiler.ask({ask: "equations", code: state.code, format: "text"});
        if (byId("pasted")) replaceText(text); // else another view was chosen
      } catch (error) {
        if (byId("pasted")) refuse(error.message);
      }
    });
    byId("bring-back").hidden = !replaced;
    byId("bring-back").addEventListener("click", () => replaceText(replaced));
    followElements(byId("own-result"), () => result, byId("own-note"));
  },

  async show(code) {
    byId("view").dataset.shown = code;
  },

  hide() {
    pasted = byId("pasted").value;
    isOfCode = byId("of-code").checked;
  },
};
