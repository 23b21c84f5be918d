package org.apache.hadoop.io.erasurecode;

import org.apache.hadoop.util.NativeCodeLoader;

/** Stands in for Hadoop's class: asks in the same order. */
public final class ErasureCodeNative {
  static {
    if (!NativeCodeLoader.buildSupportsIsal()) {
      throw new IllegalStateException("libhadoop was built without ISA-L support");
    }
    loadLibrary();
  }

  public static void checkNativeCodeLoaded() {}

  public static native void loadLibrary();

  public static native String getLibraryName();
}
