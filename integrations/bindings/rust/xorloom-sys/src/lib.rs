//! What `xorloom/xorloom.h` declares, as far as the crate `xorloom` needs it.
#![allow(non_camel_case_types)]

use std::os::raw::{c_char, c_int, c_void};

pub const XL_OK: c_int = 0;
pub const XL_DAMAGED: c_int = 5;

#[repr(C)]
pub struct xl_codec {
    _private: [u8; 0],
}

/// The first fields of the struct of C. The library fills in as many bytes as `size` says.
#[repr(C)]
pub struct xl_info {
    pub size: usize,
    pub locations: usize,
    pub data: usize,
    pub rows: usize,
    pub k: usize,
    pub m: usize,
    pub w: usize,
    pub packet_bytes: usize,
    pub chunk_multiple: usize,
    pub spec: *const c_char,
}

extern "C" {
    pub fn xl_codec_create(
        spec: *const c_char,
        options: *const c_void,
        codec: *mut *mut xl_codec,
    ) -> c_int;
    pub fn xl_codec_destroy(codec: *mut xl_codec);
    pub fn xl_codec_info(codec: *const xl_codec, info: *mut xl_info) -> c_int;
    pub fn xl_round_up(codec: *const xl_codec, chunk_bytes: usize) -> usize;
    pub fn xl_encode(codec: *const xl_codec, chunks: *const *mut u8, chunk_bytes: usize) -> c_int;
    pub fn xl_decode(
        codec: *const xl_codec,
        chunks: *const *mut u8,
        erased: *const c_int,
        num_erased: c_int,
        chunk_bytes: usize,
    ) -> c_int;
    pub fn xl_verify(codec: *const xl_codec, chunks: *const *const u8, chunk_bytes: usize)
        -> c_int;
    pub fn xl_last_error() -> *const c_char;
    pub fn xl_version() -> *const c_char;
}
