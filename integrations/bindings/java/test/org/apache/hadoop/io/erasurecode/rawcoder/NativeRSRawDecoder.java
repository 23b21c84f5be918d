package org.apache.hadoop.io.erasurecode.rawcoder;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.erasurecode.ErasureCodeNative;

/** Stands in for Hadoop's class, with its native methods. */
public class NativeRSRawDecoder extends AbstractNativeRawCoder implements AbstractNativeRawCoder.Decoder {
  static {
    ErasureCodeNative.checkNativeCodeLoaded();
  }

  public NativeRSRawDecoder(int data, int parity) {
    initImpl(data, parity);
  }

  @Override
  public void decode(ByteBuffer[] inputs, int bytes, int[] erased, ByteBuffer[] outputs)
      throws IOException {
    decodeImpl(inputs, positions(inputs), bytes, erased, outputs, positions(outputs));
  }

  @Override
  public void release() {
    destroyImpl();
  }

  private native void initImpl(int numDataUnits, int numParityUnits);

  private native void decodeImpl(ByteBuffer[] inputs, int[] inputOffsets, int dataLen, int[] erased,
      ByteBuffer[] outputs, int[] outputOffsets) throws IOException;

  private native void destroyImpl();
}
