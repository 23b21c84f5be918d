package xorloom

/*
#include <xorloom/xorloom.h>

// What is called on the chunks of a stripe.
struct job {
  char what;  // e: encode, v: verify, u: update, d: decode
  int idx;    // of the location whose data changes
  int num_erased, num_wanted;
  const xl_codec* codec;
  size_t bytes;  // of each chunk
};
typedef uint8_t* ptr;

static int run(const struct job* job, const uint8_t* before, const uint8_t* after, const int* erased,
               const int* wanted, uint8_t* const* chunks) {
  switch (job->what) {
    case 'e':
      return xl_encode(job->codec, chunks, job->bytes);
    case 'v':
      return xl_verify(job->codec, (const uint8_t* const*)chunks, job->bytes);
    case 'u':
      return xl_update(job->codec, job->idx, before, after, chunks, job->bytes);
    default:
      return xl_decode_wanted(job->codec, chunks, erased, job->num_erased, wanted, job->num_wanted, job->bytes);
  }
}

// Go lends memory to C by pointers that are arguments, and not by an array of pointers.
static int run_lent(const struct job* job, const uint8_t* before, const uint8_t* after, const int* erased,
                    const int* wanted, ptr a, ptr b, ptr c, ptr d, ptr e, ptr f, ptr g, ptr h, ptr i, ptr j, ptr k,
                    ptr l, ptr m, ptr n, ptr o, ptr p, ptr q, ptr r, ptr s, ptr t, ptr u, ptr v, ptr w, ptr x) {
  ptr const chunks[] = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x};
  return run(job, before, after, erased, wanted, chunks);
}
*/
import "C"

import (
	"runtime"
	"unsafe"
)

const maxLent = 24 // pointers to chunks that run_lent takes

// What is called on shards: the fields of the C struct of this name, and its arrays.
type work struct {
	what           byte
	idx            int
	before, after  []byte
	erased, wanted []C.int
}

func pointer(bytes []byte) *C.uint8_t {
	if len(bytes) == 0 {
		return nil
	}
	return (*C.uint8_t)(unsafe.Pointer(&bytes[0]))
}

func numbers(list []C.int) *C.int {
	if len(list) == 0 {
		return nil
	}
	return &list[0]
}

// Does work on shards of some size. Written shards that are missing are made; others that are nil are not needed. If
// the work fails, no shard changes.
func (e *encoder) do(w work, shards [][]byte, size int, written []int) error {
	runtime.LockOSThread() // xl_last_error is that of the thread
	defer runtime.UnlockOSThread()
	defer runtime.KeepAlive(e)
	job := C.struct_job{what: C.char(w.what), idx: C.int(w.idx), num_erased: C.int(len(w.erased)),
		num_wanted: C.int(len(w.wanted)), codec: e.codec, bytes: C.size_t(size)}
	made := append([][]byte(nil), shards...)
	for _, i := range written {
		if len(made[i]) == 0 && cap(made[i]) >= size {
			made[i] = made[i][:size]
		} else if len(made[i]) == 0 {
			made[i] = make([]byte, size)
		}
	}
	var err error
	if len(made) <= maxLent {
		err = lent(&job, w, made)
	} else {
		err = copied(&job, w, made, written)
	}
	if err == nil {
		copy(shards, made)
	}
	return err
}

func lent(job *C.struct_job, w work, shards [][]byte) error {
	var p [maxLent]*C.uint8_t
	for i, shard := range shards {
		p[i] = pointer(shard)
	}
	return failure(C.run_lent(job, pointer(w.before), pointer(w.after), numbers(w.erased), numbers(w.wanted), p[0], p[1],
		p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17], p[18],
		p[19], p[20], p[21], p[22], p[23]))
}

// Copies shards into memory of C, and those that were written back.
func copied(job *C.struct_job, w work, shards [][]byte, written []int) error {
	var chunks **C.uint8_t
	if err := failure(C.xl_alloc_chunks(job.codec, job.bytes, &chunks)); err != nil {
		return err
	}
	defer C.xl_free_chunks(chunks)
	pointers := unsafe.Slice((**byte)(unsafe.Pointer(chunks)), len(shards))
	for i, shard := range shards {
		copy(unsafe.Slice(pointers[i], len(shard)), shard)
	}
	if err := failure(C.run(job, pointer(w.before), pointer(w.after), numbers(w.erased), numbers(w.wanted),
		chunks)); err != nil {
		return err
	}
	for _, i := range written {
		copy(shards[i], unsafe.Slice(pointers[i], len(shards[i])))
	}
	return nil
}
