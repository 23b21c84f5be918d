// Stands in for a libhadoop that was built without ISA-L.
#include <jni.h>

JNIEXPORT jboolean JNICALL
Java_org_apache_hadoop_util_NativeCodeLoader_buildSupportsIsal(JNIEnv* env, jclass type) {
  (void)env;
  (void)type;
  return JNI_FALSE;
}
