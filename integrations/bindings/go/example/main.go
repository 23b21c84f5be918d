// Splits a text into four data shards with two of parity, loses two, and joins the text again.
package main

import (
	"bytes"
	"fmt"
	"log"

	"xorloom"
)

func main() {
	encoder, err := xorloom.New(4, 2)
	if err != nil {
		log.Fatal(err)
	}
	text := []byte("what must not be lost")
	shards, err := encoder.Split(text)
	if err != nil {
		log.Fatal(err)
	}
	if err := encoder.Encode(shards); err != nil {
		log.Fatal(err)
	}
	shards[0], shards[5] = nil, nil
	if err := encoder.Reconstruct(shards); err != nil {
		log.Fatal(err)
	}
	var back bytes.Buffer
	if err := encoder.Join(&back, shards, len(text)); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("recovered: %s\n", back.String())
}
