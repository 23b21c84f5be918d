'use strict';

const native = require('./xorloom.node');

/**
 * An erasure code prepared for this machine. Chunks are Buffers or Uint8Arrays of one size, one for
 * each location, and are used in place. A failed call throws an Error with a code, such as XL_DAMAGED.
 */
class Codec {
  #codec;

  /** Prepares the code of a spec, such as 'isa-cauchy:k=10,m=4'. */
  constructor(spec) {
    this.#codec = native.open(spec);
    const [locations, chunkMultiple] = native.sizes(this.#codec);
    this.locations = locations;
    this.chunkMultiple = chunkMultiple;
  }

  /** Returns zeroed buffers for the chunks of a stripe: at least bytes each, as the code takes. */
  allocate(bytes) {
    const size = Math.max(1, Math.ceil(bytes / this.chunkMultiple)) * this.chunkMultiple;
    return Array.from({length: this.locations}, () => Buffer.alloc(size));
  }

  /** Computes the redundant chunks. */
  encodeSync(chunks) {
    native.run(this.#codec, 'e', chunks);
  }

  /** Rebuilds the chunks at the erased locations. */
  decodeSync(chunks, erased) {
    native.run(this.#codec, 'd', chunks, erased);
  }

  /** True if the redundant chunks agree with the data. */
  verifySync(chunks) {
    return native.run(this.#codec, 'v', chunks);
  }

  // The same on a thread of Node's pool. The chunks must not be used until the promise is settled.

  async encode(chunks) {
    await native.start(this.#codec, 'e', chunks);
  }

  async decode(chunks, erased) {
    await native.start(this.#codec, 'd', chunks, erased);
  }

  async verify(chunks) {
    return native.start(this.#codec, 'v', chunks);
  }
}

module.exports = {Codec};
