package org.apache.hadoop.io.erasurecode.rawcoder;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.erasurecode.ErasureCodeNative;

/** Stands in for Hadoop's class, with its native methods. */
public class NativeXORRawEncoder extends AbstractNativeRawCoder implements AbstractNativeRawCoder.Encoder {
  static {
    ErasureCodeNative.checkNativeCodeLoaded();
  }

  public NativeXORRawEncoder(int data, int parity) {
    initImpl(data, parity);
  }

  @Override
  public void encode(ByteBuffer[] inputs, int bytes, ByteBuffer[] outputs) throws IOException {
    encodeImpl(inputs, positions(inputs), bytes, outputs, positions(outputs));
  }

  @Override
  public void release() {
    destroyImpl();
  }

  private native void initImpl(int numDataUnits, int numParityUnits);

  private native void encodeImpl(ByteBuffer[] inputs, int[] inputOffsets, int dataLen,
      ByteBuffer[] outputs, int[] outputOffsets) throws IOException;

  private native void destroyImpl();
}
