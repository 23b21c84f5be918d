package xorloom

/*
#include <xorloom/xorloom.h>
*/
import "C"

import (
	"errors"
	"fmt"
)

// The errors of github.com/klauspost/reedsolomon, by the same names.
var (
	ErrInvShardNum         = errors.New("there must be at least one data shard, and no fewer than 0 parity shards")
	ErrMaxShardNum         = errors.New("data and parity shards together exceed 65536")
	ErrTooFewShards        = errors.New("the number of shards is not that of the encoder, or too few are there")
	ErrShardNoData         = errors.New("no shard has data")
	ErrShardSize           = errors.New("shards have different sizes")
	ErrInvalidShardSize    = errors.New("the size of a shard is not one that the code takes")
	ErrShortData           = errors.New("there is less data than shards")
	ErrInvalidInput        = errors.New("an argument is out of its bounds")
	ErrReconstructRequired = errors.New("data shards are missing: reconstruct them first")
)

// An Error is what the library says of a call that failed.
type Error struct {
	Status int // an XL_ number of xorloom.h
	Text   string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s", C.GoString(C.xl_strerror(C.int(e.Status))), e.Text)
}

// Makes an error of a status, on the thread that made the call.
func failure(status C.int) error {
	if status == C.XL_OK {
		return nil
	}
	return &Error{int(status), C.GoString(C.xl_last_error())}
}
