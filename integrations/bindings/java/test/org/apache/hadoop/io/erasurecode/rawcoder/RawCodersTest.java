package org.apache.hadoop.io.erasurecode.rawcoder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.apache.hadoop.io.erasurecode.ErasureCodeNative;
import xorloom.Codec;

/** Hadoop's native coders on Xorloom, and the class Codec. It prints what is wrong, and exits with 1. */
public final class RawCodersTest {
  // k, m, bytes, and the CRC-32 of all parity that Hadoop's own coder in Java computes from data_of().
  private static final long[][] OF_HADOOP = {
    {6, 3, 4096, 0x00847802L}, {3, 2, 1021, 0x0a19ceb0L}, {10, 4, 65536, 0xdf016aa2L},
    {6, 1, 999, 0x6fd296c2L}, {2, 1, 512, 0x033d7368L}, {17, 3, 3000, 0xfbf2a839L},
    {200, 55, 257, 0x9ab75965L},
  };

  private static int failures;

  private static void check(boolean holds, String what) {
    if (!holds) {
      System.out.println("wrong: " + what);
      failures++;
    }
  }

  private interface Call {
    void run() throws Exception;
  }

  private static void refused(Class<?> type, String text, Call call) {
    try {
      call.run();
      check(false, "not refused: " + text);
    } catch (Exception e) {
      check(type.isInstance(e) && e.getMessage().contains(text), e + ", not: " + text);
    }
  }

  /** Buffers whose bytes begin at a position of their own. */
  private static ByteBuffer[] buffers(int count, int bytes) {
    ByteBuffer[] buffers = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      buffers[i] = ByteBuffer.allocateDirect(bytes + i % 7 + 1);
      buffers[i].position(i % 7);
      buffers[i].limit(i % 7 + bytes);
    }
    return buffers;
  }

  private static ByteBuffer[] data_of(int k, int bytes) {
    ByteBuffer[] data = buffers(k, bytes);
    int state = 1;
    for (ByteBuffer unit : data) {
      for (int i = 0; i < bytes; i++) {
        state = state * 1103515245 + 12345;
        unit.put(unit.position() + i, (byte) (state >>> 16));
      }
    }
    return data;
  }

  private static byte[] bytes_of(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static ByteBuffer[] joined(ByteBuffer[] data, ByteBuffer[] parity) {
    ByteBuffer[] all = Arrays.copyOf(data, data.length + parity.length);
    System.arraycopy(parity, 0, all, data.length, parity.length);
    return all;
  }

  /** Decodes what some locations held; others are lost, too, and not wanted. */
  private static void rebuild(AbstractNativeRawCoder.Decoder decoder, ByteBuffer[] all, int[] wanted,
      int[] others) throws IOException {
    int bytes = all[0].remaining();
    ByteBuffer[] inputs = all.clone();
    for (int i : wanted) {
      inputs[i] = null;
    }
    for (int i : others) {
      inputs[i] = null;
    }
    ByteBuffer[] outputs = buffers(wanted.length, bytes);
    decoder.decode(inputs, bytes, wanted, outputs);
    for (int i = 0; i < wanted.length; i++) {
      check(Arrays.equals(bytes_of(outputs[i]), bytes_of(all[wanted[i]])),
          "unit " + wanted[i] + " of " + Arrays.toString(wanted));
    }
  }

  private static void parity_is_hadoops() throws IOException {
    for (long[] row : OF_HADOOP) {
      int k = (int) row[0];
      int m = (int) row[1];
      int bytes = (int) row[2];
      ByteBuffer[] data = data_of(k, bytes);
      ByteBuffer[] parity = buffers(m, bytes);
      NativeRSRawEncoder encoder = new NativeRSRawEncoder(k, m);
      encoder.encode(data, bytes, parity);
      encoder.release();
      CRC32 sum = new CRC32();
      for (ByteBuffer unit : parity) {
        sum.update(bytes_of(unit));
      }
      check(sum.getValue() == row[3], String.format("RS %d+%d has %08x", k, m, sum.getValue()));
      NativeRSRawDecoder decoder = new NativeRSRawDecoder(k, m);
      ByteBuffer[] all = joined(data, parity);
      for (int a = 0; a < k + m; a++) {
        rebuild(decoder, all, new int[] {a}, new int[] {});
        for (int b = 0; m > 1 && k < 20 && b < a; b++) {
          rebuild(decoder, all, new int[] {a, b}, new int[] {});
          rebuild(decoder, all, new int[] {b}, new int[] {a});
        }
      }
      decoder.release();
    }
  }

  private static void xor_is_the_sum() throws IOException {
    ByteBuffer[] data = data_of(4, 1000);
    ByteBuffer[] parity = buffers(1, 1000);
    new NativeXORRawEncoder(4, 1).encode(data, 1000, parity);
    byte[] sum = new byte[1000];
    for (ByteBuffer unit : data) {
      for (int i = 0; i < 1000; i++) {
        sum[i] ^= unit.get(unit.position() + i);
      }
    }
    check(Arrays.equals(sum, bytes_of(parity[0])), "XOR is not the sum");
    NativeXORRawDecoder decoder = new NativeXORRawDecoder(4, 1);
    for (int i = 0; i < 5; i++) {
      rebuild(decoder, joined(data, parity), new int[] {i}, new int[] {});
    }
  }

  private static void wrong_use_is_refused() throws IOException {
    Class<?> argument = IllegalArgumentException.class;
    refused(argument, "2 parity units, where XOR has 1", () -> new NativeXORRawEncoder(4, 2));
    refused(argument, "256", () -> new NativeRSRawEncoder(250, 7));
    NativeRSRawEncoder encoder = new NativeRSRawEncoder(4, 2);
    ByteBuffer[] data = data_of(4, 100);
    ByteBuffer[] parity = buffers(2, 100);
    encoder.encode(data, 100, parity);
    refused(argument, "buffer 1: 200 bytes from 1 on exceed its capacity of 102",
        () -> encoder.encode(new ByteBuffer[] {ByteBuffer.allocateDirect(300), data[1], data[2],
            data[3]}, 200, parity));
    refused(argument, "3 data units, where the code has 4",
        () -> encoder.encode(Arrays.copyOf(data, 3), 100, parity));
    ByteBuffer[] heap = data.clone();
    heap[2] = ByteBuffer.allocate(100);
    refused(argument, "buffer 2 is not direct", () -> encoder.encode(heap, 100, parity));
    NativeRSRawDecoder decoder = new NativeRSRawDecoder(4, 2);
    ByteBuffer[] all = joined(data, parity);
    refused(argument, "erased unit 6 of 6",
        () -> decoder.decode(all, 100, new int[] {6}, buffers(1, 100)));
    refused(argument, "1 outputs for 2",
        () -> decoder.decode(all, 100, new int[] {0, 1}, buffers(1, 100)));
    refused(IOException.class, "", () -> rebuild(decoder, all, new int[] {0}, new int[] {1, 2}));
    encoder.release();
    encoder.release();
    refused(IOException.class, "closed", () -> encoder.encode(data, 100, parity));
  }

  private static void codec_encodes_and_decodes() throws IOException {
    for (String spec : new String[] {"isa-cauchy:k=4,m=2", "cauchy-good:k=4,m=2,w=8"}) {
      Codec codec = new Codec(spec);
      ByteBuffer[] chunks = codec.allocate(3000);
      for (int i = 0; i < 4; i++) {
        chunks[i].put(0, (byte) (i + 1)).put(chunks[i].limit() - 1, (byte) (7 * i));
      }
      codec.encode(chunks);
      check(codec.verify(chunks), spec + " does not verify");
      byte[][] whole = new byte[6][];
      for (int i = 0; i < 6; i++) {
        whole[i] = bytes_of(chunks[i]);
      }
      for (int a = 0; a < 6; a++) {
        for (int b = 0; b < a; b++) {
          chunks[a].put(0, (byte) ~whole[a][0]);
          chunks[b].put(0, (byte) ~whole[b][0]);
          check(!codec.verify(chunks), spec + " verifies without " + a + " and " + b);
          codec.decode(chunks, a, b);
          check(Arrays.equals(bytes_of(chunks[a]), whole[a])
              && Arrays.equals(bytes_of(chunks[b]), whole[b]), spec + " without " + a + ", " + b);
        }
      }
      refused(IOException.class, "", () -> codec.decode(chunks, 0, 1, 2));
      refused(IllegalArgumentException.class, "6", () -> codec.decode(chunks, 6));
      refused(IllegalArgumentException.class, "5 chunks, where the code has 6",
          () -> codec.encode(Arrays.copyOf(chunks, 5)));
      ByteBuffer[] read_only = chunks.clone();
      read_only[5] = chunks[5].asReadOnlyBuffer();
      refused(IllegalArgumentException.class, "chunk 5 is read-only", () -> codec.encode(read_only));
      check(codec.verify(read_only), "read-only chunks do not verify");
      codec.close();
      codec.close();
      refused(IOException.class, "closed", () -> codec.encode(chunks));
    }
    refused(IllegalArgumentException.class, "no-such-code", () -> new Codec("no-such-code:k=1"));
  }

  public static void main(String[] arguments) throws IOException {
    check(ErasureCodeNative.getLibraryName().startsWith("libxorloom "), "the library has no name");
    parity_is_hadoops();
    xor_is_the_sum();
    wrong_use_is_refused();
    codec_encodes_and_decodes();
    System.exit(failures == 0 ? 0 : 1);
  }
}
