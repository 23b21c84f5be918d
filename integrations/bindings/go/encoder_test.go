package xorloom

import (
	"bytes"
	"errors"
	"hash/crc32"
	"math/rand"
	"testing"
	"unsafe"
)

func stripe(t *testing.T, encoder Encoder, seed int64, bytesOfData int) ([]byte, [][]byte) {
	t.Helper()
	data := make([]byte, bytesOfData)
	rand.New(rand.NewSource(seed)).Read(data)
	shards, err := encoder.Split(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := encoder.Encode(shards); err != nil {
		t.Fatal(err)
	}
	return data, shards
}

func clone(shards [][]byte) [][]byte {
	copies := make([][]byte, len(shards))
	for i, shard := range shards {
		copies[i] = append([]byte(nil), shard...)
	}
	return copies
}

// A product in the field of 256 elements modulo 0x11d, bit by bit.
func times(a, b byte) byte {
	var product byte
	for ; b != 0; b >>= 1 {
		if b&1 != 0 {
			product ^= a
		}
		carry := a&0x80 != 0
		a <<= 1
		if carry {
			a ^= 0x1d
		}
	}
	return product
}

// The numbers are those of the one-encode test of klauspost/reedsolomon and of Backblaze's JavaReedSolomon.
func TestParityIsThatOfKlauspost(t *testing.T) {
	encoder, err := New(5, 5)
	if err != nil {
		t.Fatal(err)
	}
	shards := [][]byte{{0, 1}, {4, 5}, {2, 3}, {6, 7}, {8, 9}, make([]byte, 2), make([]byte, 2), make([]byte, 2),
		make([]byte, 2), make([]byte, 2)}
	if err := encoder.Encode(shards); err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]byte{{12, 13}, {10, 11}, {14, 15}, {90, 91}, {94, 95}} {
		if !bytes.Equal(shards[5+i], want) {
			t.Errorf("shard %d is %v, not %v", 5+i, shards[5+i], want)
		}
	}
}

// The sums are those of the parity that klauspost/reedsolomon 1.14.1 computes of the same data.
func TestParityOfMoreThan256ShardsIsThatOfKlauspost(t *testing.T) {
	for _, c := range []struct {
		data, parity, size int
		sum                uint32
	}{{256, 20, 64, 0xda474a42}, {300, 40, 1024, 0x9781ffe8}, {100, 300, 64, 0xb570a68c}, {257, 1, 64, 0xe99659f4}} {
		encoder, err := New(c.data, c.parity)
		if err != nil {
			t.Fatal(err)
		}
		shards := make([][]byte, c.data+c.parity)
		state := uint32(1)
		for i := range shards {
			shards[i] = make([]byte, c.size)
			for at := range shards[i] {
				state = state*1103515245 + 12345
				shards[i][at] = byte(state >> 16)
			}
		}
		if err := encoder.Encode(shards); err != nil {
			t.Fatal(err)
		}
		if sum := crc32.ChecksumIEEE(bytes.Join(shards[c.data:], nil)); sum != c.sum {
			t.Errorf("%d+%d has parity %08x, not %08x", c.data, c.parity, sum, c.sum)
		}
		lost := clone(shards)
		lost[0], lost[c.data+c.parity-1] = nil, nil
		if c.parity == 1 {
			lost[0] = shards[0]
		}
		if err := encoder.Reconstruct(lost); err != nil || !bytes.Equal(bytes.Join(lost, nil), bytes.Join(shards, nil)) {
			t.Errorf("%d+%d is not reconstructed: %v", c.data, c.parity, err)
		}
	}
}

func TestParityIsThatOfTheMatrix(t *testing.T) {
	encoder, err := New(4, 3, WithFamily("isa-cauchy"))
	if err != nil {
		t.Fatal(err)
	}
	_, shards := stripe(t, encoder, 1, 4000)
	for row := 4; row < 7; row++ {
		for at := range shards[row] {
			var sum byte
			for column := 0; column < 4; column++ {
				inverse := byte(1) // of row ^ column, by search
				for times(inverse, byte(row^column)) != 1 {
					inverse++
				}
				sum ^= times(inverse, shards[column][at])
			}
			if shards[row][at] != sum {
				t.Fatalf("parity %d, byte %d: %d, not %d", row, at, shards[row][at], sum)
			}
		}
	}
}

func TestEveryLossOfThreeIsRebuilt(t *testing.T) {
	for _, family := range []string{"isa-cauchy", "rs"} {
		encoder, err := New(5, 3, WithFamily(family))
		if err != nil {
			t.Fatal(err)
		}
		data, whole := stripe(t, encoder, 2, 99991)
		for lost := 0; lost < 1<<8; lost++ {
			shards, count := clone(whole), 0
			for i := range shards {
				if lost>>i&1 != 0 {
					shards[i] = nil
					count++
				}
			}
			err := encoder.Reconstruct(shards)
			if count > 3 {
				if !errors.Is(err, ErrTooFewShards) && !errors.Is(err, ErrShardNoData) {
					t.Fatalf("%s, lost %b: %v", family, lost, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s, lost %b: %v", family, lost, err)
			}
			for i := range shards {
				if !bytes.Equal(shards[i], whole[i]) {
					t.Fatalf("%s, lost %b: shard %d is wrong", family, lost, i)
				}
			}
			var back bytes.Buffer
			if err := encoder.Join(&back, shards, len(data)); err != nil || !bytes.Equal(back.Bytes(), data) {
				t.Fatalf("%s, lost %b: joined data is wrong: %v", family, lost, err)
			}
		}
	}
}

func TestOnlyWhatIsAskedForIsRebuilt(t *testing.T) {
	encoder, _ := New(4, 2)
	_, whole := stripe(t, encoder, 3, 4096)
	shards := clone(whole)
	shards[1], shards[5] = nil, nil
	if err := encoder.ReconstructData(shards); err != nil || !bytes.Equal(shards[1], whole[1]) || shards[5] != nil {
		t.Fatalf("ReconstructData: %v", err)
	}
	shards = clone(whole)
	shards[0], shards[2] = nil, shards[2][:0]
	if err := encoder.ReconstructSome(shards, []bool{false, false, true, false}); err != nil ||
		shards[0] != nil || !bytes.Equal(shards[2], whole[2]) {
		t.Fatalf("ReconstructSome: %v", err)
	}
}

func TestChangesAndSingleShardsGiveTheParityOfEncode(t *testing.T) {
	encoder, _ := New(4, 2)
	_, shards := stripe(t, encoder, 4, 8192)
	parity := [][]byte{make([]byte, 2048), make([]byte, 2048)}
	for _, i := range []int{2, 0, 3, 1} {
		if err := encoder.EncodeIdx(shards[i], i, parity); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(parity[0], shards[4]) || !bytes.Equal(parity[1], shards[5]) {
		t.Fatal("EncodeIdx gives other parity")
	}
	changed := make([]byte, 2048)
	rand.New(rand.NewSource(5)).Read(changed)
	old := [][]byte{nil, shards[1], nil, nil, shards[4], shards[5]}
	if err := encoder.Update(old, [][]byte{nil, changed, nil, nil}); err != nil {
		t.Fatal(err)
	}
	shards[1] = changed
	if right, err := encoder.Verify(shards); err != nil || !right {
		t.Fatalf("Update: %v", err)
	}
	shards[3][7] ^= 1
	if right, err := encoder.Verify(shards); err != nil || right {
		t.Fatalf("a wrong byte agrees: %v", err)
	}
}

func TestExtensionsTellSizesAndAlign(t *testing.T) {
	for _, c := range []struct{ data, parity, multiple int }{{5, 3, 1}, {300, 40, 64}} {
		encoder, err := New(c.data, c.parity)
		if err != nil {
			t.Fatal(err)
		}
		more := encoder.(Extensions)
		if more.DataShards() != c.data || more.ParityShards() != c.parity || more.TotalShards() != c.data+c.parity ||
			more.ShardSizeMultiple() != c.multiple {
			t.Errorf("%d+%d tells other numbers", c.data, c.parity)
		}
		shards := more.AllocAligned(1000)
		for i, shard := range shards {
			if len(shard) != 1000 || cap(shard) != 1000 || uintptr(unsafe.Pointer(&shard[0]))%64 != 0 {
				t.Errorf("shard %d is not aligned", i)
			}
		}
		if len(shards) != c.data+c.parity {
			t.Errorf("%d shards", len(shards))
		}
	}
}

func TestWrongUseIsRefused(t *testing.T) {
	encoder, _ := New(4, 2)
	_, shards := stripe(t, encoder, 6, 4096)
	unequal := clone(shards)
	unequal[2] = unequal[2][:64]
	_, noShards := New(0, 2)
	_, manyShards := New(65000, 537)
	_, noData := encoder.Split(nil)
	withHole := clone(shards)
	withHole[1] = nil
	var sink bytes.Buffer
	for i, refused := range []struct{ got, want error }{
		{noShards, ErrInvShardNum},
		{manyShards, ErrMaxShardNum},
		{encoder.Encode(shards[:5]), ErrTooFewShards},
		{encoder.Encode(unequal), ErrShardSize},
		{encoder.Encode(make([][]byte, 6)), ErrShardNoData},
		{encoder.EncodeIdx(shards[0], 4, shards[4:]), ErrInvShardNum},
		{encoder.ReconstructSome(shards, []bool{true}), ErrInvalidInput},
		{encoder.Join(&sink, withHole, 10), ErrReconstructRequired},
		{encoder.Join(&sink, shards, 5000), ErrShortData},
		{noData, ErrShortData},
	} {
		if !errors.Is(refused.got, refused.want) {
			t.Errorf("case %d: %v, not %v", i, refused.got, refused.want)
		}
	}
	var failed *Error
	if _, err := New(4, 2, WithFamily("no-such-code")); !errors.As(err, &failed) || failed.Text == "" {
		t.Errorf("a family that there is not: %v", err)
	}
}
