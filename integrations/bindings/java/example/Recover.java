import java.nio.ByteBuffer;
import xorloom.Codec;

/** Encodes a text in four chunks with two redundant ones, loses two, and recovers them. */
public class Recover {
  public static void main(String[] arguments) throws Exception {
    byte[] text = "what must not be lost".getBytes("US-ASCII");
    try (Codec codec = new Codec("isa-cauchy:k=4,m=2")) {
      ByteBuffer[] chunks = codec.allocate((text.length + 3) / 4);
      for (int i = 0; i < text.length; i++) {
        chunks[i / chunks[0].capacity()].put(i % chunks[0].capacity(), text[i]);
      }
      codec.encode(chunks);
      chunks[0] = ByteBuffer.allocateDirect(chunks[1].capacity());
      chunks[5] = ByteBuffer.allocateDirect(chunks[1].capacity());
      codec.decode(chunks, 0, 5);
      byte[] back = new byte[text.length];
      for (int i = 0; i < text.length; i++) {
        back[i] = chunks[i / chunks[0].capacity()].get(i % chunks[0].capacity());
      }
      System.out.println("recovered: " + new String(back, "US-ASCII"));
    }
  }
}
