// Elements of the page, made and found.

export const byId = id => document.getElementById(id);

export const escaped = text =>
  String(text).replace(/[&<>"]/g, c => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[c]);

// "1 XOR", "2 XORs".
export const counted = (number, one, several = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : several}`;

export function bytesText(bytes) {
  if (bytes < 1024) return counted(bytes, "byte");
  const power = Math.min(4, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(bytes < 10 * 1024 ** power ? 1 : 0)} ${["", "KiB", "MiB", "GiB", "TiB"][power]}`;
}

// Shows a sentence in place of a view: what is wrong, or what goes on.
export function showSentence(place, text, isError = false) {
  place.innerHTML = `<p class="${isError ? "error" : "quiet"}"${isError ? ' role="alert"' : ""}>${escaped(text)}</p>`;
}

// Waits until a question was the last of its kind for some milliseconds: `isLast` then is true.
export function latest() {
  let number = 0;
  return async (milliseconds = 0) => {
    const own = ++number;
    if (milliseconds) await new Promise(resolve => setTimeout(resolve, milliseconds));
    return () => own === number;
  };
}
