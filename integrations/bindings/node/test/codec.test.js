'use strict';

const assert = require('node:assert');
const test = require('node:test');
const {Codec} = require('xorloom');

// Bytes from a seed.
function fill(buffer, seed) {
  for (let i = 0; i < buffer.length; i++) {
    seed = (Math.imul(seed, 1103515245) + 12345) | 0;
    buffer[i] = seed >>> 16;
  }
}

function stripe(codec, bytes, seed) {
  const chunks = codec.allocate(bytes);
  chunks.forEach((chunk, i) => fill(chunk, seed + i));
  return chunks;
}

const copy = (chunks) => chunks.map((chunk) => Buffer.from(chunk));

// A product in the field of 256 elements modulo 0x11d, bit by bit.
function times(a, b) {
  let product = 0;
  for (; b; b >>= 1) {
    if (b & 1) product ^= a;
    a = (a << 1) ^ (a & 0x80 ? 0x11d : 0);
  }
  return product;
}

function inverse(a) {
  let b = 1;
  while (times(a, b) !== 1) b++;
  return b;
}

test('parity is that of the matrix', () => {
  const codec = new Codec('isa-cauchy:k=4,m=3');
  const chunks = stripe(codec, 999, 1);
  codec.encodeSync(chunks);
  for (let row = 4; row < 7; row++) {
    const factors = [0, 1, 2, 3].map((column) => inverse(row ^ column));
    for (let at = 0; at < chunks[0].length; at++) {
      const sum = factors.reduce((all, factor, i) => all ^ times(factor, chunks[i][at]), 0);
      assert.strictEqual(chunks[row][at], sum, `row ${row}, byte ${at}`);
    }
  }
});

for (const spec of ['isa-cauchy:k=4,m=2', 'cauchy-good:k=4,m=2,w=8']) {
  test('every two lost chunks are rebuilt: ' + spec, async () => {
    const codec = new Codec(spec);
    const whole = stripe(codec, 5000, 2);
    await codec.encode(whole);
    assert.strictEqual(codec.verifySync(whole), true);
    for (let a = 0; a < 6; a++) {
      for (let b = 0; b < a; b++) {
        for (const isSync of [true, false]) {
          const chunks = copy(whole);
          chunks[a].fill(0xee);
          chunks[b].fill(0xee);
          assert.strictEqual(await codec.verify(chunks), false);
          if (isSync) codec.decodeSync(chunks, [a, b]);
          else await codec.decode(chunks, [a, b]);
          assert.deepStrictEqual(chunks, whole);
        }
      }
    }
  });
}

test('many stripes at once have the bytes of one after the other', async () => {
  const stripes = Array.from({length: 16}, (_, i) => stripe(new Codec('isa-cauchy:k=4,m=2'), 1 << 20, i));
  const expected = stripes.map(copy);
  expected.forEach((chunks) => new Codec('isa-cauchy:k=4,m=2').encodeSync(chunks));
  // Nothing else holds the codecs or the arrays while threads use them.
  const all = stripes.map((chunks) => new Codec('isa-cauchy:k=4,m=2').encode(chunks.slice()));
  global.gc();
  let isSettled = false;
  all.forEach((promise) => promise.then(() => isSettled = true));
  for (let i = 0; i < 10; i++) await null;
  assert.ok(!isSettled, 'a thread settles no promise before the next turn of the loop');
  await Promise.all(all);
  stripes.forEach((chunks, i) => assert.ok(chunks.every((chunk, j) => chunk.equals(expected[i][j]))));
});

test('wrong use is refused with the value and the bound', async () => {
  const codec = new Codec('isa-cauchy:k=4,m=2');
  const chunks = stripe(codec, 100, 3);
  codec.encodeSync(chunks);
  const refused = (call, code, message) => assert.throws(call, (error) => {
    assert.strictEqual(error.code, code);
    assert.match(error.message, message);
    return true;
  });
  refused(() => new Codec('no-such-code:k=1'), 'XL_INVALID_ARGUMENT', /no-such-code/);
  refused(() => new Codec('isa-cauchy:k=255,m=2'), 'XL_INVALID_ARGUMENT', /257/);
  refused(() => new Codec(7), 'XL_INVALID_ARGUMENT', /not a string/);
  refused(() => codec.encodeSync(chunks.slice(1)), 'XL_INVALID_ARGUMENT', /5 chunks for 6 locations/);
  refused(() => codec.encodeSync('chunks'), 'XL_INVALID_ARGUMENT', /no array/);
  refused(() => codec.encodeSync([...chunks.slice(0, 5), new Uint16Array(50)]), 'XL_INVALID_ARGUMENT',
      /chunk 5 is neither/);
  refused(() => codec.encodeSync([...chunks.slice(0, 5), Buffer.alloc(99)]), 'XL_INVALID_ARGUMENT',
      /chunks 0 and 5 have 100 and 99 bytes/);
  refused(() => codec.encodeSync([...chunks.slice(0, 5), chunks[0]]), 'XL_INVALID_ARGUMENT', /overlap/);
  for (const wrong of [6, -1, 1.5, NaN, 2 ** 32, '1', null]) {
    refused(() => codec.decodeSync(chunks, [0, wrong]), 'XL_INVALID_ARGUMENT', /erased number 1 .* 0 to 5/);
  }
  refused(() => codec.decodeSync(chunks), 'XL_INVALID_ARGUMENT', /no array/);
  refused(() => codec.decodeSync(chunks, [0, 1, 2]), 'XL_DAMAGED', /./);
  await assert.rejects(codec.decode(chunks, [0, 1, 2]), {code: 'XL_DAMAGED'});
  await assert.rejects(codec.encode([]), {code: 'XL_INVALID_ARGUMENT'});
  assert.strictEqual(codec.verifySync(chunks), true);
});
