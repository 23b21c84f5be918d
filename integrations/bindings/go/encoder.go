// Package xorloom encodes shards with Xorloom. Encoder has the methods of the Encoder of
// github.com/klauspost/reedsolomon.
package xorloom

/*
#cgo pkg-config: xorloom
#include <stdlib.h>
#include <xorloom/xorloom.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"unsafe"
)

// Encoder is what programs hold. Many goroutines may use one at once.
type Encoder interface {
	// Encode computes the parity shards from the data shards. All are of one size.
	Encode(shards [][]byte) error
	// EncodeIdx adds data shard idx to the parity shards. Parity begins as zeros.
	EncodeIdx(dataShard []byte, idx int, parity [][]byte) error
	// Verify says whether the parity shards agree with the data shards.
	Verify(shards [][]byte) (bool, error)
	// Reconstruct computes shards that are nil or empty from those that are there.
	Reconstruct(shards [][]byte) error
	// ReconstructData computes data shards alone.
	ReconstructData(shards [][]byte) error
	// ReconstructSome computes missing shards that are required: one bool for each shard, or for each data shard.
	ReconstructSome(shards [][]byte, required []bool) error
	// Update changes parity for data shards that change: newDatashards[i] is nil where nothing does.
	Update(shards [][]byte, newDatashards [][]byte) error
	// Split divides data into data shards, fills up with zeros and adds empty parity shards.
	Split(data []byte) ([][]byte, error)
	// Join writes outSize bytes of data from the data shards.
	Join(dst io.Writer, shards [][]byte, outSize int) error
}

// Option changes how New makes an encoder.
type Option func(*options)

type options struct {
	family string
	keys   string // of the spec, behind k and m
}

// WithFamily names another family of codes, such as "isa-cauchy" or "isa-vandermonde". Its keys k and m
// are the numbers of shards. The bytes of parity are those of the family. Without this option they are
// those of klauspost's New.
func WithFamily(family string) Option {
	return func(o *options) { *o = options{family: family} }
}

const maxShards = 65536

type encoder struct {
	data, parity int
	multiple     int // the size of shards is a multiple of this
	codec        *C.xl_codec
}

// New makes an encoder for some data and parity shards.
func New(dataShards, parityShards int, opts ...Option) (Encoder, error) {
	if dataShards <= 0 || parityShards < 0 {
		return nil, ErrInvShardNum
	}
	if dataShards > maxShards || parityShards > maxShards-dataShards {
		return nil, ErrMaxShardNum
	}
	e := &encoder{data: dataShards, parity: parityShards, multiple: 1}
	if parityShards == 0 {
		return e, nil
	}
	given := options{family: "rs", keys: ",matrix=vandermonde"}
	if dataShards+parityShards > 256 {
		given = options{family: "leopard"} // as klauspost's New
	}
	for _, set := range opts {
		set(&given)
	}
	spec := C.CString(fmt.Sprintf("%s:k=%d,m=%d%s", given.family, dataShards, parityShards, given.keys))
	defer C.free(unsafe.Pointer(spec))
	runtime.LockOSThread() // xl_last_error is that of the thread
	defer runtime.UnlockOSThread()
	if err := failure(C.xl_codec_create(spec, nil, &e.codec)); err != nil {
		return nil, err
	}
	var info C.xl_info
	info.size = C.size_t(unsafe.Sizeof(info))
	if err := failure(C.xl_codec_info(e.codec, &info)); err != nil {
		C.xl_codec_destroy(e.codec)
		return nil, err
	}
	if int(info.locations) != dataShards+parityShards || info.data != info.k {
		C.xl_codec_destroy(e.codec)
		return nil, fmt.Errorf("%w: shards of %s do not hold data or parity alone", ErrInvalidInput, given.family)
	}
	e.multiple = int(info.chunk_multiple)
	runtime.SetFinalizer(e, func(e *encoder) { C.xl_codec_destroy(e.codec) })
	return e, nil
}

// The size of the shards. Those that are missing are nil or empty, if they may be.
func (e *encoder) size(shards [][]byte, mayMiss bool) (int, error) {
	if len(shards) != e.data+e.parity {
		return 0, ErrTooFewShards
	}
	size := 0
	for _, shard := range shards {
		if len(shard) != 0 {
			size = len(shard)
			break
		}
	}
	if size == 0 {
		return 0, ErrShardNoData
	}
	for _, shard := range shards {
		if len(shard) != size && !(mayMiss && len(shard) == 0) {
			return 0, ErrShardSize
		}
	}
	if size%e.multiple != 0 {
		return 0, fmt.Errorf("%w: %d bytes are no multiple of %d", ErrInvalidShardSize, size, e.multiple)
	}
	return size, nil
}

// The numbers of the parity shards.
func (e *encoder) parities() []int {
	numbers := make([]int, e.parity)
	for i := range numbers {
		numbers[i] = e.data + i
	}
	return numbers
}

func (e *encoder) Encode(shards [][]byte) error {
	size, err := e.size(shards, false)
	if err != nil || e.parity == 0 {
		return err
	}
	return e.do(work{what: 'e'}, shards, size, e.parities())
}

func (e *encoder) EncodeIdx(dataShard []byte, idx int, parity [][]byte) error {
	if len(parity) != e.parity {
		return ErrTooFewShards
	}
	if idx < 0 || idx >= e.data {
		return ErrInvShardNum
	}
	shards := make([][]byte, e.data+e.parity)
	shards[idx] = dataShard
	copy(shards[e.data:], parity)
	for _, shard := range parity {
		if len(shard) != len(dataShard) {
			return ErrShardSize
		}
	}
	size, err := e.size(shards, true)
	if err != nil || e.parity == 0 {
		return err
	}
	return e.do(work{what: 'u', idx: idx, after: dataShard}, shards, size, e.parities())
}

func (e *encoder) Verify(shards [][]byte) (bool, error) {
	size, err := e.size(shards, false)
	if err != nil {
		return false, err
	}
	if e.parity == 0 {
		return true, nil
	}
	err = e.do(work{what: 'v'}, shards, size, nil)
	var failed *Error
	if errors.As(err, &failed) && failed.Status == C.XL_DAMAGED {
		return false, nil
	}
	return err == nil, err
}

func (e *encoder) Reconstruct(shards [][]byte) error {
	return e.reconstruct(shards, func(int) bool { return true })
}

func (e *encoder) ReconstructData(shards [][]byte) error {
	return e.reconstruct(shards, func(i int) bool { return i < e.data })
}

func (e *encoder) ReconstructSome(shards [][]byte, required []bool) error {
	if len(required) != e.data && len(required) != e.data+e.parity {
		return ErrInvalidInput
	}
	return e.reconstruct(shards, func(i int) bool { return i < len(required) && required[i] })
}

func (e *encoder) reconstruct(shards [][]byte, wants func(int) bool) error {
	size, err := e.size(shards, true)
	if err != nil {
		return err
	}
	var erased, wanted []C.int
	var written []int
	for i, shard := range shards {
		if len(shard) != 0 {
			continue
		}
		erased = append(erased, C.int(i))
		if wants(i) {
			wanted = append(wanted, C.int(i))
			written = append(written, i)
		}
	}
	if len(erased) > e.parity {
		return ErrTooFewShards
	}
	if len(wanted) == 0 {
		return nil
	}
	return e.do(work{what: 'd', erased: erased, wanted: wanted}, shards, size, written)
}

func (e *encoder) Update(shards [][]byte, newDatashards [][]byte) error {
	if len(shards) != e.data+e.parity || len(newDatashards) != e.data {
		return ErrTooFewShards
	}
	size, err := e.size(shards, true)
	if err != nil {
		return err
	}
	for i, shard := range newDatashards {
		if len(shard) != 0 && len(shard) != size {
			return ErrShardSize
		}
		if len(shard) != 0 && len(shards[i]) == 0 {
			return ErrInvalidInput // the old data is needed
		}
	}
	for _, shard := range shards[e.data:] {
		if len(shard) == 0 {
			return ErrInvalidInput
		}
	}
	if e.parity == 0 {
		return nil
	}
	for i, shard := range newDatashards {
		if len(shard) == 0 {
			continue
		}
		change := work{what: 'u', idx: i, before: shards[i], after: shard}
		if err := e.do(change, shards, size, e.parities()); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) Split(data []byte) ([][]byte, error) {
	if len(data) == 0 {
		return nil, ErrShortData
	}
	size := (len(data) + e.data - 1) / e.data
	size = (size + e.multiple - 1) / e.multiple * e.multiple
	stripe := make([]byte, size*(e.data+e.parity))
	copy(stripe, data)
	shards := make([][]byte, e.data+e.parity)
	for i := range shards {
		shards[i] = stripe[i*size : (i+1)*size : (i+1)*size]
	}
	return shards, nil
}

func (e *encoder) Join(dst io.Writer, shards [][]byte, outSize int) error {
	if len(shards) < e.data {
		return ErrTooFewShards
	}
	if outSize < 0 {
		return ErrInvalidInput
	}
	held := 0
	for _, shard := range shards[:e.data] {
		if len(shard) == 0 {
			return ErrReconstructRequired
		}
		held += len(shard)
	}
	if held < outSize {
		return ErrShortData
	}
	for _, shard := range shards[:e.data] {
		if len(shard) > outSize {
			shard = shard[:outSize]
		}
		if _, err := dst.Write(shard); err != nil {
			return err
		}
		outSize -= len(shard)
	}
	return nil
}
