'use strict';
// Encodes a text in four chunks with two redundant ones, loses two, and recovers them.

const {Codec} = require('xorloom');

async function main() {
  const text = Buffer.from('what must not be lost');
  const codec = new Codec('isa-cauchy:k=4,m=2');
  const chunks = codec.allocate(Math.ceil(text.length / 4));
  const size = chunks[0].length;
  for (let i = 0; i < 4; i++) text.copy(chunks[i], 0, i * size);
  await codec.encode(chunks);
  chunks[0] = Buffer.alloc(size);
  chunks[5] = Buffer.alloc(size);
  await codec.decode(chunks, [0, 5]);
  console.log('recovered: ' + Buffer.concat(chunks.slice(0, 4)).toString('utf8', 0, text.length));
}

main();
