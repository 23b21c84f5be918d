package org.apache.hadoop.util;

/** Stands in for Hadoop's class. The native method of the library beside it says that it has no ISA-L. */
public final class NativeCodeLoader {
  static {
    System.loadLibrary("hadoop");
  }

  public static native boolean buildSupportsIsal();
}
