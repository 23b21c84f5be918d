//! Erasure codes: a [`Codec`] computes redundant chunks and rebuilds chunks that are lost.

use std::ffi::{CStr, CString};
use std::fmt;
use std::os::raw::c_int;
use xorloom_sys as sys;

/// Why a call failed: a number of `xorloom.h`, and a sentence with the value and the bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    pub status: i32,
    pub text: String,
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl std::error::Error for Error {}

fn check(status: c_int) -> Result<(), Error> {
    if status == sys::XL_OK {
        return Ok(());
    }
    // SAFETY: the text is never null, and valid until the next call on this thread.
    let text = unsafe { CStr::from_ptr(sys::xl_last_error()) };
    Err(Error { status, text: text.to_string_lossy().into_owned() })
}

fn wrong(text: String) -> Error {
    Error { status: 1, text }
}

/// A code prepared for this machine. Many threads may use one at once.
pub struct Codec {
    codec: *mut sys::xl_codec,
    locations: usize,
    chunk_multiple: usize,
}

// SAFETY: a codec of the library is immutable.
unsafe impl Send for Codec {}
unsafe impl Sync for Codec {}

impl Codec {
    /// Prepares the code of a spec, such as `cauchy-good:k=10,m=4,w=8`.
    pub fn new(spec: &str) -> Result<Codec, Error> {
        let spec = CString::new(spec).map_err(|_| wrong("the spec has a byte 0".into()))?;
        let mut made = Codec { codec: std::ptr::null_mut(), locations: 0, chunk_multiple: 0 };
        // SAFETY: the pointers are valid, and all zeros are an `xl_info`.
        unsafe {
            check(sys::xl_codec_create(spec.as_ptr(), std::ptr::null(), &mut made.codec))?;
            let mut info: sys::xl_info = std::mem::zeroed();
            info.size = std::mem::size_of::<sys::xl_info>();
            check(sys::xl_codec_info(made.codec, &mut info))?;
            made.locations = info.locations;
            made.chunk_multiple = info.chunk_multiple;
        }
        Ok(made)
    }

    /// Chunks of a stripe.
    pub fn locations(&self) -> usize {
        self.locations
    }

    /// The bytes of a chunk are a multiple of this.
    pub fn chunk_multiple(&self) -> usize {
        self.chunk_multiple
    }

    /// The smallest size of a chunk that is at least `bytes`.
    pub fn round_up(&self, bytes: usize) -> usize {
        // SAFETY: the codec is valid.
        unsafe { sys::xl_round_up(self.codec, bytes) }
    }

    /// Computes the redundant chunks, in place.
    pub fn encode<T: AsMut<[u8]>>(&self, chunks: &mut [T]) -> Result<(), Error> {
        let (pointers, bytes) = self.pointers(chunks)?;
        // SAFETY: there is a pointer for each location, to `bytes` bytes that nothing else borrows.
        check(unsafe { sys::xl_encode(self.codec, pointers.as_ptr(), bytes) })
    }

    /// Rebuilds the chunks at the erased locations, in place.
    pub fn decode<T: AsMut<[u8]>>(&self, chunks: &mut [T], erased: &[usize]) -> Result<(), Error> {
        let (pointers, bytes) = self.pointers(chunks)?;
        // A location that fits no int is out of range, as its bound is smaller.
        let erased: Vec<c_int> =
            erased.iter().map(|&at| c_int::try_from(at).unwrap_or(c_int::MAX)).collect();
        let count = c_int::try_from(erased.len()).unwrap_or(c_int::MAX);
        if erased.len() > self.locations {
            return Err(wrong(format!(
                "{} erased exceed {} locations",
                erased.len(),
                self.locations
            )));
        }
        // SAFETY: as in `encode`; `erased` has `count` numbers.
        check(unsafe {
            sys::xl_decode(self.codec, pointers.as_ptr(), erased.as_ptr(), count, bytes)
        })
    }

    /// True if the redundant chunks agree with the data.
    pub fn verify<T: AsRef<[u8]>>(&self, chunks: &[T]) -> Result<bool, Error> {
        let bytes = self.size(chunks.iter().map(|chunk| chunk.as_ref().len()))?;
        let pointers: Vec<*const u8> = chunks.iter().map(|chunk| chunk.as_ref().as_ptr()).collect();
        // SAFETY: as in `encode`; nothing is written.
        match unsafe { sys::xl_verify(self.codec, pointers.as_ptr(), bytes) } {
            sys::XL_DAMAGED => Ok(false),
            status => check(status).map(|()| true),
        }
    }

    fn pointers<T: AsMut<[u8]>>(&self, chunks: &mut [T]) -> Result<(Vec<*mut u8>, usize), Error> {
        let mut sizes = Vec::new();
        let mut pointers = Vec::new();
        for chunk in chunks {
            let chunk = chunk.as_mut();
            sizes.push(chunk.len());
            pointers.push(chunk.as_mut_ptr());
        }
        let bytes = self.size(sizes.into_iter())?;
        Ok((pointers, bytes))
    }

    fn size(&self, sizes: impl Iterator<Item = usize>) -> Result<usize, Error> {
        let sizes: Vec<usize> = sizes.collect();
        if sizes.len() != self.locations {
            return Err(wrong(format!("{} chunks for {} locations", sizes.len(), self.locations)));
        }
        match sizes.iter().find(|&&size| size != sizes[0]) {
            Some(other) => Err(wrong(format!("chunks have {} and {} bytes", sizes[0], other))),
            None => Ok(sizes[0]),
        }
    }
}

impl Drop for Codec {
    fn drop(&mut self) {
        // SAFETY: the codec is ours; null is allowed.
        unsafe { sys::xl_codec_destroy(self.codec) }
    }
}
