// Runs equations on the bytes of a file: encodes them, loses chunks, rebuilds these and compares every byte. A file is
// read stripe by stripe, so that it may have any size.

const STRIPE_BYTES = 1 << 20; // of data, about
const BETWEEN_PARTS = 100; // milliseconds

// sum = the XOR of some packets.
function addPackets(sum, packets) {
  if (packets.length === 0) return void sum.fill(0);
  sum.set(packets[0]);
  let i = 1;
  for (; i + 2 <= packets.length; i += 2) {
    const [one, other] = [packets[i], packets[i + 1]];
    for (let at = 0; at < sum.length; ++at) sum[at] ^= one[at] ^ other[at];
  }
  if (i === packets.length) return;
  const last = packets[i];
  for (let at = 0; at < sum.length; ++at) sum[at] ^= last[at];
}

// Runs the equations of a document on packets, which are arrays of 32-bit words by element. Each target has a packet of
// its own in `made`, which lasts from stripe to stripe.
function runEquations(document, packets, made, words) {
  for (const {target, xor} of document.equations) {
    const operands = xor.map(element => {
      const packet = packets.get(element);
      if (packet === undefined) throw new Error(`element ${element} is read, and has no bytes`);
      return packet;
    });
    if (!made.has(target)) made.set(target, new Uint32Array(words));
    const sum = made.get(target);
    addPackets(sum, operands);
    packets.set(target, sum);
  }
}

function countDifferent(one, other) {
  let different = 0;
  for (let i = 0; i < one.length; ++i) different += one[i] !== other[i] ? 1 : 0;
  return different;
}

const bytesOf = packet => new Uint8Array(packet.buffer, packet.byteOffset, packet.byteLength);

// Encodes a file (a Blob) by the document `encode`, loses the locations `lost`, and rebuilds them by the document
// `decode`. Calls `onPart` with the part of the file that is done. The last stripe has shorter packets, and its end is
// filled up with zeros.
// Result: stripes, bytes of a chunk, bytes read and rebuilt, and the number of bytes that differ.
async function tryFile(file, encode, decode, lost, onPart = () => {}) {
  const {inputs, locations, rows} = encode;
  const wordsFor = bytes => Math.max(1, Math.ceil(bytes / inputs.length / 4)); // of a packet
  const stripeBytes = wordsFor(Math.min(file.size, STRIPE_BYTES)) * 4 * inputs.length;
  const stripes = Math.max(1, Math.ceil(file.size / stripeBytes));
  const elements = Array.from({length: locations * rows}, (_, element) => element);
  const isGone = element => lost.includes(Math.floor(element / rows));
  const gone = elements.filter(isGone);
  const survivors = elements.filter(element => !isGone(element));
  const operands = lost.length ? new Set(decode.equations.flatMap(({xor}) => xor)) : new Set();
  const cellsRead = survivors.filter(element => operands.has(element)).length;
  let [encoded, decoded] = [new Map(), new Map()]; // packets of what is computed
  let data = new Uint8Array(stripeBytes);
  let packetsBytes = 0; // of one packet of each stripe
  let wrong = 0;
  let told = Date.now();
  for (let stripe = 0; stripe < stripes; ++stripe) {
    const bytes = new Uint8Array(await file.slice(stripe * stripeBytes, (stripe + 1) * stripeBytes).arrayBuffer());
    const words = wordsFor(bytes.length);
    const packetBytes = words * 4;
    packetsBytes += packetBytes;
    if (packetBytes * inputs.length < data.length) { // the last stripe
      [encoded, decoded] = [new Map(), new Map()];
      data = new Uint8Array(packetBytes * inputs.length);
    }
    data.set(bytes);
    data.fill(0, bytes.length);
    const packets = new Map(inputs.map((element, i) => [element, new Uint32Array(data.buffer, i * packetBytes, words)]));
    runEquations(encode, packets, encoded, words);
    const kept = new Map(survivors.map(element => [element, packets.get(element)]));
    if (lost.length) runEquations(decode, kept, decoded, words);
    for (const element of gone) {
      const rebuilt = kept.get(element);
      wrong += rebuilt === undefined ? packetBytes : countDifferent(bytesOf(rebuilt), bytesOf(packets.get(element)));
    }
    inputs.forEach((element, i) => { // the file as it is read back
      const part = bytes.subarray(i * packetBytes, (i + 1) * packetBytes);
      const back = kept.get(element);
      wrong += back === undefined ? part.length : countDifferent(part, bytesOf(back).subarray(0, part.length));
    });
    if (Date.now() - told < BETWEEN_PARTS) continue;
    told = Date.now();
    onPart((stripe + 1) / stripes);
  }
  return {
    stripes, chunkBytes: rows * packetsBytes, readBytes: cellsRead * packetsBytes, rebuiltBytes: gone.length * packetsBytes, wrong,
  };
}

if (typeof module !== "undefined") module.exports.tryFile = tryFile;
