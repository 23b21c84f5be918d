package xorloom

import "unsafe"

// Extensions are further methods that encoders have: encoder.(xorloom.Extensions).
type Extensions interface {
	// ShardSizeMultiple is the number that the size of shards is a multiple of.
	ShardSizeMultiple() int
	// DataShards is the number of data shards.
	DataShards() int
	// ParityShards is the number of parity shards.
	ParityShards() int
	// TotalShards is the number of all shards.
	TotalShards() int
	// AllocAligned returns zeroed shards of each bytes, which begin at multiples of 64 bytes.
	AllocAligned(each int) [][]byte
}

func (e *encoder) ShardSizeMultiple() int { return e.multiple }
func (e *encoder) DataShards() int        { return e.data }
func (e *encoder) ParityShards() int      { return e.parity }
func (e *encoder) TotalShards() int       { return e.data + e.parity }

func (e *encoder) AllocAligned(each int) [][]byte {
	stride := (each + 63) / 64 * 64
	memory := make([]byte, stride*(e.data+e.parity)+63)
	begin := 63 - (int(uintptr(unsafe.Pointer(&memory[0])))+63)%64
	shards := make([][]byte, e.data+e.parity)
	for i := range shards {
		shards[i] = memory[begin+i*stride:][:each:each]
	}
	return shards
}
