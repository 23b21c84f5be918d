package xorloom;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * An erasure code prepared for this machine. Chunks are direct buffers, used in place from their
 * position to their limit. Many threads may use a codec at once.
 */
public final class Codec implements AutoCloseable {
  static {
    System.loadLibrary("xorloom_java");
  }

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final int locations;
  private final int multiple; // the bytes of a chunk are one of this
  private long codec; // 0: closed

  /** Prepares the code of a spec, such as {@code isa-cauchy:k=10,m=4}. */
  public Codec(String spec) throws IOException {
    codec = create(spec);
    locations = locations(codec);
    multiple = multiple(codec);
  }

  /** Returns buffers for the chunks of a stripe: at least {@code bytes} each, as the code takes. */
  public ByteBuffer[] allocate(int bytes) {
    int size = Math.multiplyExact((bytes + multiple - 1) / multiple, multiple);
    ByteBuffer[] chunks = new ByteBuffer[locations];
    for (int i = 0; i < chunks.length; i++) {
      chunks[i] = ByteBuffer.allocateDirect(size);
    }
    return chunks;
  }

  /** Computes the redundant chunks. */
  public void encode(ByteBuffer[] chunks) throws IOException {
    run('e', chunks);
  }

  /** Rebuilds the chunks at the erased locations. IOException: too much is lost. */
  public void decode(ByteBuffer[] chunks, int... erased) throws IOException {
    run('d', chunks, erased);
  }

  /** Says whether the redundant chunks agree with the data. */
  public boolean verify(ByteBuffer[] chunks) throws IOException {
    return run('v', chunks);
  }

  /** Frees the codec. More calls of it do nothing. */
  @Override
  public void close() {
    lock.writeLock().lock();
    destroy(codec);
    codec = 0;
    lock.writeLock().unlock();
  }

  private boolean run(char task, ByteBuffer[] chunks, int... erased) throws IOException {
    int[] offsets = new int[chunks.length];
    for (int i = 0; i < chunks.length; i++) {
      offsets[i] = chunks[i].position();
      if (chunks[i].remaining() != chunks[0].remaining()) {
        throw new IllegalArgumentException(String.format("chunks 0 and %d have %d and %d bytes", i,
            chunks[0].remaining(), chunks[i].remaining()));
      }
      if (task != 'v' && chunks[i].isReadOnly()) {
        throw new IllegalArgumentException("chunk " + i + " is read-only");
      }
    }
    lock.readLock().lock();
    try {
      if (codec == 0) {
        throw new IOException("the codec is closed");
      }
      int bytes = chunks.length == 0 ? 0 : chunks[0].remaining();
      return run(codec, task, chunks, offsets, bytes, erased);
    } finally {
      lock.readLock().unlock();
    }
  }

  private static native long create(String spec) throws IOException;

  private static native void destroy(long codec);

  private static native int locations(long codec) throws IOException;

  private static native int multiple(long codec);

  private static native boolean run(long codec, char task, ByteBuffer[] chunks, int[] offsets,
      int bytes, int[] erased) throws IOException;
}
