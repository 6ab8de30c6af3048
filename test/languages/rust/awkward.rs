//! Code that is hard to cut up.
#![allow(dead_code)]

use std::fmt;

mod elsewhere;

/// A shape has an area.
///
/// It may be drawn.
#[derive(Debug, Clone)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize)
)]
pub struct Shape<'a, T>
where
    T: Draw,
{
    /// In metres.
    pub side: f64,
    inner: &'a T,
}

struct Unit;
pub(crate) struct Tuple(i32, pub String);

union Bits {
    float: f32,
    int: u32,
}

pub enum Color {
    Red,
    Custom { r: u8, g: u8 },
    Named(String),
}

pub trait Draw: fmt::Debug + Sized {
    type Output;
    const NAME: &'static str;

    /// Must be there.
    fn draw(&self) -> Self::Output;

    fn twice(&self) -> (Self::Output, Self::Output) {
        (self.draw(), self.draw())
    }
}

impl<'a, T: Draw> Shape<'a, T> {
    pub const SIDES: usize = 4;

    /** Makes one. */
    #[inline]
    pub const fn new(inner: &'a T) -> Self {
        struct Local;
        fn helper() -> i32 {
            1
        }
        Self { side: 1.0, inner }
    }

    pub async unsafe fn area<F>(&self, scale: F) -> f64
    where
        F: Fn(f64) -> f64,
    {
        let closure = |x: f64| x * 2.0;
        r#"
fn not_a_function() {
}
"#;
        closure(self.side)
    }
}

impl<T> fmt::Display for Shape<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shape")
    }
}

impl Draw for inner::Deep {}
impl<T: Draw> Draw for &T {}
impl Draw for (i32, i32) {
    fn draw(&self) {}
}
impl dyn Draw {
    fn on_object() {}
}

macro_rules! square {
    ($x:expr) => {
        fn made() {}
    };
}

mod inner {
    //! Inside.

    pub struct Deep {
        a: i32,
    }

    pub mod more {
        pub fn deepest() {}
    }
}

extern "C" {
    fn foreign(x: i32) -> i32;
}

pub unsafe extern "C" fn exported() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn works() {
        assert_eq!(1, 1);
    }
}

fn a() {} fn b() {}
