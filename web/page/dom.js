// Elements of the page, made and found.

export const byId = id => document.getElementById(id);

export const escaped = text =>
  String(text).replace(/[&<>"]/g, c => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[c]);

// 2^w and x_i as one writes them by hand.
export const raised = text => text
  .replace(/\^(\w+|\([^)]*\))/g, (_, power) => `<sup>${power.replace(/^\((.*)\)$/, "$1")}</sup>`)
  .replace(/\b([a-z])_([a-z])\b/g, "$1<sub>$2</sub>");

// "1 XOR", "2 XORs".
export const counted = (number, one, several = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : several}`;

// "0", "0 and 1", "0, 1 and 2"; of more than `most` the first, and how many others there are.
export function listed(words, most = 8) {
  if (words.length < 2) return words.join("");
  if (words.length > most + 1) return `${words.slice(0, most).join(", ")} and ${words.length - most} others`;
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

// Numbers in a row, by the first and the last of them.
export const runText = (numbers, to = " to ") => (numbers.length > 1 ? `${numbers[0]}${to}${numbers.at(-1)}` : String(numbers[0]));

// Two decimals, rounded as the program does: exactly half a hundredth goes to the even one.
export const ratio = value => (value * 8 % 4 === 1 ? value - 0.005 : value).toFixed(2);

export function bytesText(bytes) {
  if (bytes < 1024) return counted(bytes, "byte");
  const power = Math.min(4, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${["", "KiB", "MiB", "GiB", "TiB"][power]}`;
}

// Shows a sentence in place of a view: what is wrong, or what goes on.
export function showSentence(place, text, isError = false) {
  document.body.classList.add("ready");
  place.innerHTML = `<p class="${isError ? "error" : "quiet"}"${isError ? ' role="alert"' : ""}>${escaped(text)}</p>`;
}

// Milliseconds without a word, or with what was there before.
export const PATIENCE = 300;

// Waits until a question was the last of its kind for some milliseconds: `isLast` then is true.
export function latest() {
  let number = 0;
  return async (milliseconds = 0) => {
    const own = ++number;
    if (milliseconds) await new Promise(resolve => setTimeout(resolve, milliseconds));
    return () => own === number;
  };
}
