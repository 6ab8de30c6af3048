import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEdges } from '../../graph/support.ts';
import { assertFollowsEdits } from '../edits.ts';

const WORKSPACE = {
  'crates/shop-core/src/lib.rs': `//! The core.
#[macro_use]
mod macros;
mod cart;
pub mod price;

pub use crate::cart::{Cart, Error as CartError};
`,
  'crates/shop-core/src/macros.rs': `#[macro_export]
macro_rules! cents {
    ($x:expr) => { $x * 100 };
}
`,
  'crates/shop-core/src/cart.rs': `use std::fmt;

use crate::price::{self, Price, Priced};

#[derive(Clone)]
pub struct Cart {
    first: Option<Box<Price>>,
    kind: Kind,
}

pub enum Kind {
    Small,
    Named(String),
}

impl Kind {
    fn is_small(&self) -> bool {
        matches!(self, Kind::Small)
    }
}

pub struct Error;

impl Cart {
    pub fn new() -> Result<Self, Error> {
        let kind = Kind::Named(String::new());
        Ok(Self { first: None, kind })
    }

    pub fn total(&self) -> i32 {
        if let Some(first) = &self.first {
            first.amount();
        }
        self.first.as_ref().unwrap().doubled();
        self.kind.is_small();
        Self::helper(cents!(1));
        price::sum(self)
    }

    fn helper(x: i32) {}
}

impl Priced for Cart {
    fn amount(&self) -> i32 {
        self.total()
    }
}

impl fmt::Display for Cart {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", 1)
    }
}

fn write() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        let cart = Cart::new().unwrap();
        cart.doubled();
    }
}
`,
  'crates/shop-core/src/price/mod.rs': `mod table;

pub struct Price;

pub trait Priced {
    fn amount(&self) -> i32;

    fn doubled(&self) -> i32 {
        self.amount() * 2
    }
}

impl Priced for Price {
    fn amount(&self) -> i32 {
        table::lookup()
    }
}

pub fn sum<T: Priced>(of: &T) -> i32 {
    of.amount()
}
`,
  'crates/shop-core/src/price/table.rs': `pub fn lookup() -> i32 {
    super::sum(&super::super::cart::make());
    crate::price::nothing()
}
`,
  'crates/cli/src/main.rs': `use shop_core::{Cart, CartError, cents};

mod args;

fn main() -> Result<(), CartError> {
    let cart = Cart::new()?;
    args::Args::parse().check(&cart);
    shop_core::price::sum(&cart);
    cents!(2);
    Ok(())
}
`,
  'crates/cli/src/args.rs': `pub struct Args;

impl Args {
    pub fn parse() -> Args {
        Args
    }

    pub fn check(&self, cart: &super::Cart) {}
}
`,
};

test('rust: calls resolve through modules, crates, impls, traits and wrapper types', async () => {
  const core = 'crates/shop-core/src/';
  const found = (await findEdges(WORKSPACE)).map((edge) =>
    edge.replaceAll(core, '').replaceAll('crates/', ''),
  );
  assert.deepEqual(found, [
    'cart.rs::Cart#3 > price/mod.rs::Priced inherit',
    'cart.rs::Cart.amount > cart.rs::Cart.total',
    'cart.rs::Cart.new > cart.rs::Cart construct',
    'cart.rs::Cart.new > cart.rs::Kind construct',
    'cart.rs::Cart.total > cart.rs::Cart.helper',
    'cart.rs::Cart.total > cart.rs::Kind.is_small',
    'cart.rs::Cart.total > macros.rs::cents',
    'cart.rs::Cart.total > price/mod.rs::Price.amount',
    'cart.rs::Cart.total > price/mod.rs::Priced.doubled',
    'cart.rs::Cart.total > price/mod.rs::sum',
    'cart.rs::tests.adds > cart.rs::Cart.new',
    'cart.rs::tests.adds > price/mod.rs::Priced.doubled',
    'price/mod.rs::Price#2 > price/mod.rs::Priced inherit',
    'price/mod.rs::Price.amount > price/table.rs::lookup',
    'price/mod.rs::Priced.doubled > price/mod.rs::Priced.amount',
    'price/mod.rs::sum > price/mod.rs::Priced.amount',
    'price/table.rs::lookup > price/mod.rs::sum',
    'cli/src/main.rs::main > cli/src/args.rs::Args.check',
    'cli/src/main.rs::main > cli/src/args.rs::Args.parse',
    'cli/src/main.rs::main > cart.rs::Cart.new',
    'cli/src/main.rs::main > macros.rs::cents',
    'cli/src/main.rs::main > price/mod.rs::sum',
  ]);
});

test('rust: the graph follows edits', () => assertFollowsEdits(WORKSPACE));

test('rust: a field has its own type even if a method has its name', async () => {
  const found = await findEdges({
    'Cargo.toml': '[package]\nname = "shop"\n',
    'src/lib.rs':
      'pub struct Name;\n\nimpl Name {\n    pub fn len(&self) -> usize {\n        0\n    }\n}\n\npub struct Cart {\n    name: Name,\n}\n\nimpl Cart {\n    pub fn name(&self) -> &Name {\n        &self.name\n    }\n\n    pub fn width(&self) -> usize {\n        self.name.len()\n    }\n\n    pub fn padded(&self) -> usize {\n        self.name().len()\n    }\n}\n',
  });
  assert.deepEqual(found, [
    'src/lib.rs::Cart.padded > src/lib.rs::Cart.name',
    'src/lib.rs::Cart.padded > src/lib.rs::Name.len',
    'src/lib.rs::Cart.width > src/lib.rs::Name.len',
  ]);
});
