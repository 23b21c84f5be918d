package org.apache.hadoop.io.erasurecode.rawcoder;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Stands in for Hadoop's abstract coders: the field that native methods use, and positions as offsets. */
abstract class AbstractNativeRawCoder {
  private long nativeCoder;

  static int[] positions(ByteBuffer[] buffers) {
    int[] positions = new int[buffers.length];
    for (int i = 0; i < buffers.length; i++) {
      positions[i] = buffers[i] == null ? 0 : buffers[i].position();
    }
    return positions;
  }

  public abstract void release();

  interface Encoder {
    void encode(ByteBuffer[] inputs, int bytes, ByteBuffer[] outputs) throws IOException;

    void release();
  }

  interface Decoder {
    void decode(ByteBuffer[] inputs, int bytes, int[] erased, ByteBuffer[] outputs)
        throws IOException;

    void release();
  }
}
