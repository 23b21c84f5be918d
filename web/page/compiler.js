// The compiler as the page has it: questions to a worker, and their answers as promises.

// A refusal in the library's words.
export class Refusal extends Error {}

// The end of a question that nobody waits for any more.
export class Stopped extends Error {}

const EXHAUSTED = "this takes more memory than the page has: choose a smaller code, or let the program do it";
const MOST_KEPT = 64;

let compiled = null;
let workerUrl = null;

// The module, decompressed and compiled once for all workers.
async function moduleOfPage() {
  const bytes = Uint8Array.from(atob(document.getElementById("module").textContent.trim()), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

export class Compiler {
  #worker = null;
  #ready = null;
  #waiting = new Map(); // by id: the promise's functions, and who listens
  #kept = new Map(); // promises of answers by question
  #next = 0;
  #since = 0; // when the oldest question that waits was asked

  // Starts the worker if there is none, and waits until it can be asked.
  start() {
    if (this.#ready) return this.#ready;
    compiled ??= moduleOfPage();
    workerUrl ??= URL.createObjectURL(new Blob([document.getElementById("worker").textContent]));
    const worker = new Worker(workerUrl);
    this.#worker = worker;
    this.#ready = new Promise((resolve, reject) => {
      worker.onmessage = ({data}) => (data.ready ? resolve() : this.#receive(data));
      worker.onerror = event => {
        event.preventDefault();
        reject(new Refusal(EXHAUSTED));
        this.stop(new Refusal(EXHAUSTED));
      };
      compiled.then(module => worker.postMessage({module}), reject);
    });
    return this.#ready;
  }

  // The answer to a question, a text. Throws Refusal with the library's sentence, or Stopped.
  ask(question, listener = {}) {
    const key = JSON.stringify(question);
    const isKept = key.length < 10000;
    if (isKept && this.#kept.has(key)) return this.#kept.get(key);
    const answer = this.#send({question}, listener);
    if (!isKept) return answer;
    this.#kept.set(key, answer); // whoever asks meanwhile waits for the same answer
    answer.catch(() => this.#kept.get(key) === answer && this.#kept.delete(key));
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value);
    return answer;
  }

  async json(question, listener) {
    return JSON.parse(await this.ask(question, listener));
  }

  // Encodes a file, loses chunks and rebuilds them; see tryFile of trial.js. `listener.onPart` hears how far it is.
  async tryFile(trial, listener) {
    return JSON.parse(await this.#send(trial, listener));
  }

  // Ends whatever runs, at once.
  stop(reason = new Stopped()) {
    this.#worker?.terminate();
    this.#worker = this.#ready = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const {reject} of waiting) reject(reason);
  }

  // Ends what runs if it has taken long, as nobody waits for it any more.
  stopSlow(milliseconds = 300) {
    if (this.#waiting.size && performance.now() - this.#since > milliseconds) this.stop();
  }

  async #send(message, listener) {
    if (!this.#waiting.size) this.#since = performance.now();
    const id = ++this.#next;
    const answered = new Promise((resolve, reject) => this.#waiting.set(id, {resolve, reject, listener}));
    this.start().then(
      () => this.#waiting.has(id) && this.#worker.postMessage({id, ...message}),
      error => this.stop(error),
    );
    return answered;
  }

  #receive(data) {
    if (data.progress || data.equations || data.part !== undefined) {
      for (const {listener} of this.#waiting.values()) {
        if (data.progress) listener.onProgress?.(data.progress);
        if (data.equations) listener.onEquations?.(data.equations);
        if (data.part !== undefined) listener.onPart?.(data.part);
      }
      return;
    }
    if (data.crashed) return this.stop(new Refusal(EXHAUSTED));
    const asked = this.#waiting.get(data.id);
    this.#waiting.delete(data.id);
    if (data.status === 0) asked?.resolve(data.text);
    else asked?.reject(new Refusal(data.text));
    if (data.isLarge && !this.#waiting.size) this.stop(); // the next worker begins with little memory
  }
}
