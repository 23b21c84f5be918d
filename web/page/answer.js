// Asks the module a question, which is an object as web/explorer.hpp says. Used in the worker, and by a test in node.
function answerOf(instance, question) {
  const bytes = new TextEncoder().encode(JSON.stringify(question));
  const at = instance._malloc(bytes.length);
  if (at === 0) throw new RangeError("out of memory");
  instance.HEAPU8.set(bytes, at);
  const status = instance._xl_ask(at, bytes.length);
  instance._free(at);
  const from = instance._xl_answer();
  const text = new TextDecoder().decode(instance.HEAPU8.subarray(from, from + instance._xl_answer_bytes()));
  return {status, text};
}

if (typeof module !== "undefined") module.exports.answerOf = answerOf;
