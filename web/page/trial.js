// Runs equations on the bytes of a file: encodes them, loses chunks, rebuilds these and compares every byte.

// Runs the equations of a document on packets, which are arrays of 32-bit words by element.
function runEquations(document, packets, words) {
  for (const {target, xor} of document.equations) {
    const sum = new Uint32Array(words);
    for (const operand of xor) {
      const packet = packets.get(operand);
      if (packet === undefined) throw new Error(`element ${operand} is read, and has no bytes`);
      for (let i = 0; i < words; ++i) sum[i] ^= packet[i];
    }
    packets.set(target, sum);
  }
}

// The bytes of `file`, cut into a packet for each input of `encode`; the last ones are filled up with zeros.
function packetsOf(file, inputs) {
  const words = Math.max(1, Math.ceil(file.length / inputs.length / 4));
  const padded = new Uint8Array(words * 4 * inputs.length);
  padded.set(file);
  const packets = new Map();
  inputs.forEach((element, i) => packets.set(element, new Uint32Array(padded.buffer, i * words * 4, words)));
  return {packets, words};
}

// Encodes a file by the document `encode`, loses the locations `lost`, and rebuilds them by the document `decode`.
// Result: bytes of a chunk, bytes read and rebuilt, and the number of bytes that differ.
function tryFile(file, encode, decode, lost) {
  const {packets, words} = packetsOf(file, encode.inputs);
  runEquations(encode, packets, words);
  const kept = new Map();
  const gone = new Map();
  for (let element = 0; element < encode.locations * encode.rows; ++element) {
    const isLost = lost.includes(Math.floor(element / encode.rows));
    (isLost ? gone : kept).set(element, packets.get(element));
  }
  let rebuiltBytes = 0;
  let wrong = 0;
  let readBytes = 0;
  if (lost.length) {
    const read = new Set(decode.equations.flatMap(({xor}) => xor).filter(element => kept.has(element)));
    readBytes = read.size * words * 4;
    runEquations(decode, kept, words);
    for (const [element, packet] of gone) {
      const rebuilt = kept.get(element);
      rebuiltBytes += words * 4;
      for (let i = 0; i < words; ++i) wrong += rebuilt === undefined || rebuilt[i] !== packet[i] ? 4 : 0;
    }
  }
  const first = new Uint8Array(words * 4 * encode.inputs.length);
  encode.inputs.forEach((element, i) => {
    first.set(new Uint8Array(kept.get(element).buffer, kept.get(element).byteOffset, words * 4), i * words * 4);
  });
  for (let i = 0; i < file.length; ++i) wrong += first[i] !== file[i] ? 1 : 0;
  return {chunkBytes: encode.rows * words * 4, readBytes, rebuiltBytes, wrong};
}

if (typeof module !== "undefined") module.exports.tryFile = tryFile;
