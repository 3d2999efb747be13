//! Text on its way to a reader: cut to a length, quoted for a shell, escaped for markup, a terminal or an address.
//!
//! Each rule exists once, here. The crate has no state and opens nothing; hexadecimal and base64 need no rule of
//! their own and come from the `data-encoding` crate directly.

mod cut;
mod error;
mod list;
mod percent;
mod shell;
mod terminal;
mod xml;

pub use cut::{
    byte_prefix, char_prefix, collapse_blanks, ellipsize, omit_middle, shorten_utf16, utf16_len, utf16_prefix,
};
pub use error::describe_error;
pub use list::{and_more, backtick_list, plural};
pub use percent::{percent_decode, percent_encode, percent_encode_path};
pub use shell::{platform_word, posix_quote, posix_word, windows_argument};
pub use terminal::{printable, printable_lines};
pub use xml::XmlEscaping;
