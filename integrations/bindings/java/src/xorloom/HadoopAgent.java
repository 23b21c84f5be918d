package xorloom;

/**
 * Lets Hadoop's native raw coders run on Xorloom: {@code -javaagent:xorloom.jar} in HADOOP_OPTS,
 * where the folder of libxorloom_java.so is in java.library.path. Hadoop's own library must be
 * there, with ISA-L or without.
 */
public final class HadoopAgent {
  private static final String[] CLASSES = {
    "util.NativeCodeLoader", "io.erasurecode.ErasureCodeNative",
    "io.erasurecode.rawcoder.NativeRSRawEncoder", "io.erasurecode.rawcoder.NativeRSRawDecoder",
    "io.erasurecode.rawcoder.NativeXORRawEncoder", "io.erasurecode.rawcoder.NativeXORRawDecoder",
  };

  private HadoopAgent() {}

  /** Runs before main. If Hadoop is not on the class path, it does nothing. */
  public static void premain(String options) {
    System.loadLibrary("xorloom_java");
    ClassLoader loader = ClassLoader.getSystemClassLoader();
    for (String name : CLASSES) {
      try {
        // Not initialised: the first of these classes asks a native method which we register.
        Class<?> hadoop = Class.forName("org.apache.hadoop." + name, false, loader);
        register(hadoop, hadoop.getSimpleName());
      } catch (ClassNotFoundException e) {
        return;
      }
    }
  }

  private static native void register(Class<?> hadoop, String name);
}
