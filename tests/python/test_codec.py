import struct
import sys
import threading
import zlib

import numpy
import pytest
import xorloom


def stripe(codec, chunk_bytes, seed=1):
    """Numpy arrays of random bytes, encoded."""
    random = numpy.random.default_rng(seed)
    chunks = [
        random.integers(0, 256, chunk_bytes, dtype=numpy.uint8) for _ in range(codec.locations)
    ]
    codec.encode(chunks)
    return chunks


def raises(sentence, kind="invalid argument"):
    return pytest.raises(xorloom.Error, match=sentence)


@pytest.mark.parametrize("spec", ["cauchy-good:k=10,m=4,w=8", "rs:k=4,m=2", "lrc:k=8,m=4,l=3", "clay:k=4,m=2"])
@pytest.mark.parametrize("size", [0, 1, 1000, 100_003])
def test_data_survives_every_loss_of_two(spec, size):
    codec = xorloom.Codec(spec)
    data = bytes(i * 7 % 251 for i in range(size))
    chunks = codec.split(data)
    assert len(chunks) == codec.locations
    assert codec.verify(chunks)
    for a in range(codec.locations):
        b = (a + 1) % codec.locations
        kept = [bytes(chunk) for chunk in chunks]
        chunks[a][:] = bytes(len(chunks[a]))
        chunks[b][:] = bytes(len(chunks[b]))
        codec.decode(chunks, [a, b])
        assert chunks == kept
    assert codec.join(chunks, size) == data


@pytest.mark.parametrize("size", [2, 62, 70, 1000])
def test_symbols_in_planes_take_chunks_of_any_even_size(size):
    codec = xorloom.Codec("leopard:k=4,m=2,w=16")
    chunks = stripe(codec, size)
    kept = [bytes(chunk) for chunk in chunks]
    assert codec.verify(chunks)
    chunks[1][:] = 0
    chunks[4][:] = 0
    codec.decode(chunks, [1, 4])
    assert [bytes(chunk) for chunk in chunks] == kept
    with raises("chunk_bytes = 63 is not a multiple of 2"):
        codec.encode([numpy.zeros(63, dtype=numpy.uint8) for _ in range(6)])


@pytest.mark.parametrize("matrix", ["vandermonde", "zfec", "snapraid", "snapraid-z", "raidz"])
def test_matrices_of_other_software_survive_losses(matrix):
    codec = xorloom.Codec(f"rs:k=4,m=3,matrix={matrix}")
    chunks = stripe(codec, 1000)
    kept = [bytes(chunk) for chunk in chunks]
    for location in (0, 3, 5):
        chunks[location][:] = 0
    codec.decode(chunks, [0, 3, 5])
    assert [bytes(chunk) for chunk in chunks] == kept


def test_buffers_of_all_kinds_are_used_in_place():
    codec = xorloom.Codec("cauchy:k=3,m=2,w=3")
    n = codec.chunk_multiple
    whole = numpy.arange(5 * n, dtype=numpy.uint32).astype(numpy.uint8)
    chunks = [whole[i * n : (i + 1) * n] for i in range(3)] + [bytearray(n), memoryview(bytearray(n))]
    codec.encode(chunks)
    again = [bytes(chunk) for chunk in chunks[:3]] + [bytearray(n), numpy.zeros(n // 8, "u8")]
    codec.encode(again)
    assert bytes(again[3]) == bytes(chunks[3])
    assert again[4].tobytes() == bytes(chunks[4])


def test_chunks_that_are_not_needed_may_be_none():
    codec = xorloom.Codec("rs:k=4,m=2")
    chunks = stripe(codec, 640)
    lost = chunks[1].copy()
    chunks[1][:] = 0
    plan = codec.decoding([1, 5], [1])
    assert plan.writes == [1]
    plan.run([c if i in plan.reads + plan.writes else None for i, c in enumerate(chunks)])
    assert (chunks[1] == lost).all()


def test_update_and_verify():
    codec = xorloom.Codec("cauchy-good:k=4,m=2,w=8")
    chunks = stripe(codec, 2 * codec.chunk_multiple)
    fresh = numpy.flip(chunks[2]).copy()
    codec.update(2, chunks[2], fresh, chunks)
    assert not codec.verify(chunks)
    chunks[2] = fresh
    assert codec.verify(chunks)
    codec.update(2, None, numpy.zeros_like(fresh), chunks)
    assert codec.verify(chunks)


def test_repairs_read_the_least():
    codec = xorloom.Codec("lrc:k=8,m=4,l=3")
    plan = codec.repair([0])
    assert len(plan.reads) < codec.k
    assert plan.units_read(plan.reads[0]) == list(range(codec.units))
    chunks = stripe(codec, 64 * codec.chunk_multiple)
    kept = chunks[0].copy()
    chunks[0][:] = 0
    plan.run(chunks)
    assert (chunks[0] == kept).all()
    assert plan.units_written(0) == list(range(codec.units))


def test_properties():
    codec = xorloom.Codec("cauchy-good:k=10,m=4,w=8", threads=2)
    assert (codec.k, codec.m, codec.w, codec.locations, codec.rows) == (10, 4, 8, 14, 8)
    assert codec.chunk_multiple == 512 and codec.packet_bytes == 64
    assert codec.round_up(1000) == 1024
    assert codec.chunk_bytes_for(10_000) == 1024 and codec.data_bytes(1024) == 10240
    assert codec.code_memory in ("none", "sealed file", "own pages")
    assert codec.spec.startswith("cauchy-good:k=10,m=4,w=8")
    assert "Codec(" in repr(codec)


def test_wrong_arguments_are_named():
    codec = xorloom.Codec("cauchy:k=3,m=2,w=3")
    n = codec.chunk_multiple
    good = [bytearray(n) for _ in range(5)]
    with raises("there are 4 chunks, and the code has 5"):
        codec.encode(good[:4])
    with raises("chunk 4 has 200 bytes, and chunk 0 has 192"):
        codec.encode(good[:4] + [bytearray(200)])
    with raises("chunk 3 is written, and its buffer is read-only"):
        codec.encode(good[:3] + [bytes(n), bytearray(n)])
    with raises("the bytes of chunk 1 do not follow one another in memory"):
        codec.encode([good[0], numpy.zeros(2 * n, "u1")[::2]] + good[2:])
    with raises("chunk 0 is a int, which has no buffer of bytes"):
        codec.encode([1] + good[1:])
    with raises("chunk_bytes = 100 is not a multiple of 192"):
        codec.encode([bytearray(100) for _ in range(5)])
    with raises("chunk 3, which is written, overlaps chunk 0"):
        codec.encode([good[0], good[1], good[2], good[0], good[4]])
    with raises("the pointer to chunk 2 is null, and it is read"):
        codec.encode([good[0], good[1], None, good[3], good[4]])
    with raises("lost location 5 is not one of 0 to 4"):
        codec.decode(good, [5])
    with pytest.raises(xorloom.Error) as caught:
        codec.decode(good, [0, 1, 2])
    assert caught.value.kind == "damaged beyond repair"
    with raises("new_data has 8 bytes, and the chunks have 192"):
        codec.update(0, None, bytes(8), good)
    with raises("location 3 of cauchy"):
        codec.update(3, None, bytes(n), good)
    with raises("the chunks hold 576 bytes of data, fewer than 577"):
        codec.join(good, 577)
    with pytest.raises(xorloom.Error) as caught:
        xorloom.Codec("no-such-family:k=1")
    assert caught.value.kind in ("parse error", "invalid argument", "parse")
    with raises("effort = 'much' is not"):
        xorloom.Codec("rs:k=4,m=2", effort="much")
    with pytest.raises(TypeError):
        codec.decode(good, [-1])


def test_threads_use_one_codec_at_once():
    codec = xorloom.Codec("cauchy-good:k=4,m=2,w=8")
    data = [bytes([i]) * 100_000 for i in range(8)]
    wrong = []

    def work(i):
        for _ in range(20):
            chunks = codec.split(data[i])
            chunks[i % 6][:] = bytes(len(chunks[0]))
            codec.decode(chunks, [i % 6])
            if codec.join(chunks, len(data[i])) != data[i]:
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_fragments():
    codec = xorloom.Codec("isa-vandermonde:k=4,m=2")
    data = bytes(range(256)) * 5 + b"xyz"
    fragments = codec.to_fragments(data)
    assert len(fragments) == 6
    damaged = bytearray(fragments[2])
    damaged[100] ^= 1
    assert codec.from_fragments([fragments[5], damaged, fragments[0], None, fragments[4], fragments[3]]) == data
    with pytest.raises(xorloom.Error):
        codec.from_fragments([damaged, *fragments[3:]])
    with pytest.raises(xorloom.Error, match="a fragment"):
        codec.from_fragments(["text"])
    with pytest.raises(xorloom.Error, match="another code"):
        xorloom.Codec("isa-cauchy:k=4,m=2").from_fragments(fragments)
    with pytest.raises(xorloom.Error, match="stripe"):
        codec.from_fragments([*codec.to_fragments(data[::-1])[:1], *fragments[1:]])


def test_wrong_chunks_are_located_without_checksums():
    codec = xorloom.Codec("rs:k=4,m=3")
    chunks = codec.split(bytes(range(200)))
    found = codec.locate_errors(chunks)
    assert (found.verdict, found.wrong) == ("consistent", [])
    chunks[2][5] ^= 9
    found = codec.locate_errors(chunks)
    assert (found.verdict, found.wrong, found.unique_up_to) == ("located", [2], 2)
    assert repr(found) == "ErrorLocation('located', wrong=[2], unique_up_to=2)"
    found = codec.locate_errors([*chunks[:6], None], lost=[6])
    assert (found.wrong, found.unique_up_to) == ([2], 1)
    codec.decode(chunks, found.wrong)
    assert codec.verify(chunks)
    with raises("lost location 7 is not one of 0 to 6"):
        codec.locate_errors(chunks, [7])


def test_fingerprints_agree_as_chunks_do():
    codec = xorloom.Codec("rs:k=4,m=3")
    chunks = codec.split(bytes(range(200)))
    fingerprints = [codec.fingerprint(chunk, 7) for chunk in chunks]
    assert [len(each) for each in fingerprints] == [64] * 7
    assert codec.check_fingerprints(fingerprints).verdict == "consistent"
    chunks[2][5] ^= 9
    fingerprints[2] = codec.fingerprint(chunks[2], 7)
    found = codec.check_fingerprints(fingerprints)
    assert (found.verdict, found.wrong, found.unique_up_to) == ("located", [2], 2)
    found = codec.check_fingerprints([*fingerprints[:6], None], lost=[6])
    assert (found.wrong, found.unique_up_to) == ([2], 1)
    with raises("the fingerprints have 63 bytes, and the code's have 64"):
        codec.check_fingerprints([each[:63] for each in fingerprints])
    with raises("lost location 7 is not one of 0 to 6"):
        codec.check_fingerprints(fingerprints, [7])


def unmarked(fragment):
    """A fragment as pyeclib writes it: its header names neither a spec nor an object."""
    checked = fragment[:25] + bytes(16) + fragment[41:59]
    return checked + fragment[59:67] + struct.pack("=I", zlib.crc32(checked)) + fragment[71:]


def swapped(fragment):
    """A fragment as a machine of the other byte order writes it."""
    fields = "IIIQB8IBBI"
    other = ">" if sys.byteorder == "little" else "<"
    checked = struct.pack(other + fields, *struct.unpack("=" + fields, fragment[:59]))
    rest = (*struct.unpack("=II", fragment[59:67]), zlib.crc32(checked))
    return checked + struct.pack(other + "III", *rest) + fragment[71:]


@pytest.mark.parametrize("kind, spec", [
    ("isa_l_rs_vand", "isa-vandermonde:k=4,m=2"),
    ("isa_l_rs_cauchy", "isa-cauchy:k=4,m=2"),
    ("jerasure_rs_vand", "rs:k=4,m=2,w=16"),
    ("jerasure_rs_cauchy", "cauchy:k=4,m=2,w=4,packet_bytes=1024"),
])
def test_fragments_are_pyeclibs(kind, spec, monkeypatch):
    ec_iface = pytest.importorskip("pyeclib.ec_iface")
    try:
        driver = ec_iface.ECDriver(k=4, m=2, ec_type=kind, chksum_type="inline_crc32")
    except ec_iface.ECDriverError:
        pytest.skip(f"{kind} is not available")
    codec = xorloom.Codec(spec)
    for size in (1, 1283, 65536):
        data = bytes(i % 251 for i in range(size))
        ours, theirs = codec.to_fragments(data), driver.encode(data)
        assert codec.from_fragments(theirs[2:]) == data
        assert driver.decode(ours[2:]) == data
        assert driver.decode(ours[2:], force_metadata_checks=True) == data
        assert [unmarked(fragment) for fragment in ours] == theirs
        # One that pyeclib reconstructs names no object, and goes with the others.
        assert codec.from_fragments([*driver.reconstruct(ours[1:], [0]), *ours[3:]]) == data
        monkeypatch.setenv("LIBERASURECODE_WRITE_LEGACY_CRC", "1")
        legacy = driver.encode(data)
        monkeypatch.delenv("LIBERASURECODE_WRITE_LEGACY_CRC")
        assert codec.from_fragments(legacy[2:]) == data
        turned = [swapped(fragment) for fragment in theirs]
        assert driver.get_metadata(turned[5], formatted=1)["index"] == 5
        assert codec.from_fragments(turned[2:]) == data


def test_batches_give_the_bytes_of_single_calls():
    codec = xorloom.Codec("isa-cauchy:k=4,m=2", threads=2)
    one_by_one = [stripe(codec, 640, seed) for seed in range(20)]
    batch = [[chunk.copy() for chunk in chunks] for chunks in one_by_one]
    for chunks in batch:
        chunks[4][:] = 0
        chunks[5][:] = 0
    assert codec.encode_batch(batch) == ["ok"] * 20
    for chunks in batch:
        chunks[2][:] = 0
    codec.decode_batch(batch, [2])
    lost = [[i % 6, (i + 2) % 6] for i in range(20)]
    for chunks, erased in zip(batch, lost):
        for location in erased:
            chunks[location][:] = 0
    codec.decode_batch(batch, lost)
    assert all((a == b).all() for x, y in zip(batch, one_by_one) for a, b in zip(x, y))
    assert codec.encode_batch([]) == []


def test_a_stripe_of_a_batch_fails_alone():
    codec = xorloom.Codec("rs:k=4,m=2")
    stripes = [stripe(codec, 64, seed) for seed in range(3)]
    lost = stripes[2][0].copy()
    stripes[2][0][:] = 0
    sets = [[1], [0, 1, 2], [0]]
    with raises("stripe 1: ", "damaged beyond repair"):
        codec.decode_batch(stripes, sets)
    assert (stripes[2][0] == lost).all()
    assert codec.decode_batch(stripes, sets, raises=False) == ["ok", "damaged beyond repair", "ok"]


def test_batches_of_unequal_shapes_are_refused_before_anything_is_written():
    codec = xorloom.Codec("rs:k=4,m=2")
    stripes = [stripe(codec, 64), stripe(codec, 128)]
    stripes[0][5][:] = 0
    with raises("the chunks of stripe 1 have 128 bytes, and those of stripe 0 have 64"):
        codec.encode_batch(stripes)
    with raises("stripe 1: there are 5 chunks, and the code has 6"):
        codec.encode_batch([stripes[0], stripes[0][:5]])
    with raises("stripe 0 is no sequence of chunks"):
        codec.encode_batch([7])
    with raises("stripe 0: chunk 4 is written, and its buffer is read-only"):
        codec.encode_batch([[bytes(64)] * 6])
    with raises("3 sets of losses are not one for each of 2 stripes"):
        codec.decode_batch(stripes, [[1], [1], [1]])
    assert not stripes[0][5].any()
