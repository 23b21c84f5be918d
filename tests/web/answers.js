// Compares the module for browsers with the program: answers.js MODULE_FOLDER PROGRAM. For the example of each family,
// what the module answers has to be what the program prints, byte for byte. answers.js MODULE_FOLDER PROGRAM FILE writes
// the questions and what the program prints to FILE, for tests in browsers.
"use strict";
const {execFileSync} = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const [folder, program, pairsFile] = process.argv.slice(2);
const page = path.join(__dirname, "../../web/page");
const {answerOf} = require(path.join(page, "answer.js"));
const {tryFile} = require(path.join(page, "trial.js"));
const xorloomModule = require(path.join(folder, "explorer.js"));

const run = (...args) => execFileSync(program, args, {encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"]});

const LEAST_SPEED = 0.4; // of the program's
const MOST_TRIES = 8;

// Questions about a code, and the arguments of the program that ask the same.
const QUESTIONS = [
  [{ask: "code"}, code => ["codes", code, "--format", "json"]],
  [{ask: "code", format: "svg"}, code => ["codes", code, "--format", "svg"]],
  [{ask: "equations"}, code => ["equations", code, "--format", "json"]],
  [{ask: "equations", format: "text"}, code => ["equations", code]],
  [{ask: "equations", format: "svg", cores: 2}, code => ["equations", code, "--cores", "2", "--format", "svg"]],
  [{ask: "equations", style: "iterative", effort: "fast", cores: 3},
    code => ["equations", code, "--style", "iterative", "--effort", "fast", "--store", "off", "--cores", "3", "--format", "json"]],
  [{ask: "equations", style: "iterative", effort: "max", tries: 20000},
    code => ["equations", code, "--style", "iterative", "--effort", "max", "--tries", "20000", "--store", "off", "--format", "json"]],
  [{ask: "equations", erase: [0], reads: "min"}, code => ["equations", code, "--erase", "0", "--reads", "min", "--format", "json"]],
  [{ask: "source", target: "c", erase: [0]}, code => ["emit", code, "--target", "c", "--erase", "0"]],
];

// The text of an answer, or the sentence of a refusal without what the program says before it.
const told = ({status, text}) => (status === 0 ? text : `refused: ${text}`);

// What the program tells of a code and the module does not: its costs, some of which are in the library's store.
const COSTS = ["bytes_per_data_byte", "encoding", "update"];

function withoutCosts(text) {
  const description = JSON.parse(text);
  for (const cost of COSTS) {
    if (!(cost in description)) throw new Error(`the program's description of a code has no ${cost}`);
    delete description[cost];
  }
  return `${JSON.stringify(description, null, 2)}\n`;
}

function ofProgram(question, args) {
  let printed;
  try {
    printed = run(...args);
  } catch {
    return null;
  }
  return question.ask === "code" && !question.format ? withoutCosts(printed) : printed;
}

function bytes(length) {
  const all = new Uint8Array(length);
  let state = 12345;
  for (let i = 0; i < length; ++i) all[i] = (state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 16;
  return all;
}

// Encodes files of several lengths in the page's way, loses the first location and compares.
async function tryFiles(ask, code) {
  const encode = JSON.parse(ask({ask: "equations", code}).text);
  const decode = JSON.parse(ask({ask: "equations", code, erase: [0], reads: "min"}).text);
  let failed = 0;
  const whole = 64 * encode.inputs.length;
  for (const length of [0, 1, 1000, whole, (1 << 20) + 1, 2500001]) { // the last one has three stripes
    const file = new Blob([bytes(length)]);
    const found = await tryFile(file, encode, decode, [0]);
    const stripes = length > 1 << 21 ? [3] : length > 1 << 20 ? [1, 2] : [1]; // a stripe may have some bytes more than 1 MiB
    if (!stripes.includes(found.stripes)) failed += 1, console.log(`${code}: a file of ${length} bytes has ${found.stripes} stripes`);
    // Only the last stripe is filled up, each packet by less than a word.
    const mostBytes = Math.max(4, length / encode.inputs.length + 4) * encode.rows;
    if (found.chunkBytes > mostBytes) failed += 1, console.log(`${code}: a file of ${length} bytes has chunks of ${found.chunkBytes} bytes`);
    if (found.wrong !== 0) failed += 1, console.log(`${code}: a file of ${length} bytes comes back with ${found.wrong} wrong bytes`);
    // Wrong equations have to be found out, in a file without zeros at its end.
    const broken = structuredClone(decode);
    broken.equations.at(-1).xor.shift();
    if (length >= whole && (await tryFile(file, encode, broken, [0])).wrong === 0) failed += 1, console.log(`${code}: wrong equations are not found out`);
  }
  return failed;
}

async function main() {
  const instance = await xorloomModule({wasmBinary: fs.readFileSync(path.join(folder, "explorer.wasm"))});
  const ask = question => answerOf(instance, question);
  const families = JSON.parse(ask({ask: "families"}).text).filter(family => family.name !== "file");
  if (pairsFile) {
    const pairs = families.flatMap(({example: code}) =>
      QUESTIONS.map(([question, args]) => ({question: {...question, code}, printed: ofProgram(question, args(code))})));
    fs.writeFileSync(pairsFile, JSON.stringify(pairs));
    return;
  }
  let failed = 0;
  let compared = 0;
  for (const {example: code} of families) {
    for (const [question, args] of QUESTIONS) {
      const answer = ask({...question, code});
      const printed = ofProgram(question, args(code));
      compared += 1;
      // What one refuses, the other refuses as well.
      const isSame = printed === null ? answer.status !== 0 : told(answer) === printed;
      if (!isSame) {
        failed += 1;
        console.log(`${code}: the module's answer to ${JSON.stringify(question)} is not what the program prints`);
        console.log(`  module:  ${told(answer).slice(0, 200)}\n  program: ${(printed ?? "refused").slice(0, 200)}`);
      }
    }
    failed += await tryFiles(ask, code);
  }
  if (families.length < 15) failed += 1, console.log(`there are only ${families.length} families`);
  // A search of 10+4 with the same moves: as good, and not much slower; others that use the machine may make it so.
  const tries = 300000;
  const code = "cauchy-good:k=10,m=4";
  let speed = 0;
  for (let i = 0; i < MOST_TRIES && speed < LEAST_SPEED; ++i) {
    let began = performance.now();
    const found = ask({ask: "equations", code, style: "iterative", effort: "max", tries}).text;
    const inModule = performance.now() - began;
    began = performance.now();
    const printed = run("equations", code, "--style", "iterative", "--effort", "max", "--tries", String(tries), "--store", "off", "--format", "json");
    speed = Math.max(speed, (performance.now() - began) / inModule);
    if (found !== printed) failed += 1, console.log(`a search of ${code} ends elsewhere in the module`);
  }
  if (speed < LEAST_SPEED) failed += 1, console.log(`a search of ${code} has ${speed.toFixed(2)} times the program's speed, less than ${LEAST_SPEED}`);
  console.log(`${compared} answers of ${families.length} families; search of ${code}: ${speed.toFixed(2)} times the program's speed`);
  console.log(`${failed} differ`);
  process.exitCode = failed ? 1 : 0;
}

main();
