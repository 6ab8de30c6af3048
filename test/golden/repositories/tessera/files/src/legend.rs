//! Legends of maps: symbols and labels are drawn alike.

use crate::codec::{self as packing, checksum, Codec as _, Raw as Plain};
use crate::{
    error::{Error as Failure, Result as Outcome},
    pyramid::{self, tile_at as locate},
    TileId,
};
use std::collections::HashMap;

pub mod shapes {
    use super::*;

    pub fn circle() -> Symbol {
        Symbol::default()
    }
}

type Symbols = Vec<Symbol>;
type Mark = Symbol;

const BLANK: Symbol = Symbol { name: String::new() };
static MARGIN: Label = Label(0);

pub trait Draw: Named + std::fmt::Debug {
    fn draw(&self, width: u32) -> String;

    fn twice(&self) -> String {
        self.draw(1) + &self.draw(2)
    }
}

pub trait Named {}

#[derive(Debug, Default, Clone)]
pub struct Symbol {
    name: String,
}

#[derive(Debug, Default)]
pub struct Label(u32);

#[derive(Debug)]
pub enum Part {
    Marked(Symbol),
    Plain { label: Label },
}

pub struct Legend<D: Draw> {
    first: D,
    symbols: HashMap<TileId, Symbol>,
    label: Option<Label>,
}

impl Named for Symbol {}
impl Named for Label {}
impl Draw for Symbol {
    fn draw(&self, width: u32) -> String {
        format!("{}{width}", self.name)
    }
}
impl crate::legend::Draw for Label {
    fn draw(&self, width: u32) -> String {
        self.0.to_string() + &BLANK.draw(width)
    }
}
impl From<Symbol> for Label {
    fn from(symbol: Symbol) -> Self {
        Label(symbol.name.len() as u32)
    }
}

impl Part {
    fn label(&self) -> Label {
        Label::default()
    }

    async fn load(&self) -> Symbol {
        shapes::circle()
    }
}

impl<D> Legend<D>
where
    D: Draw,
{
    fn symbol(&self) -> Option<Symbol> {
        self.symbols.values().next().cloned()
    }

    pub fn render(&self, part: Part, given: &Label, (left, right): (u32, u32)) -> Outcome<String> {
        let typed: Symbol = Default::default();
        let mut text = typed.draw(1);
        let made = Symbol { name: text.clone() };
        text += &made.draw(2);
        let same = made;
        text += &same.draw(3);
        let borrowed = &same;
        text += &borrowed.draw(4);
        let returned = part.label();
        text += &returned.draw(5);
        let dotted = self.first.draw(6);
        text += &dotted;
        text += &given.draw(7);
        let Some(symbol) = self.symbol() else {
            return Err(Failure::BadId(text));
        };
        text += &symbol.draw(8);
        if let Some(found) = self.symbol() {
            text += &found.draw(9);
        }
        if let Some(label) = &self.label {
            text += &label.draw(10);
        }
        match self.symbol() {
            Some(one) => text += &one.draw(11),
            None => text += &MARGIN.draw(12),
        }
        match part {
            Part::Marked(symbol) => text += &symbol.twice(),
            Part::Plain { label } => text += &label.twice(),
        }
        let tried = self.parse::<Label>("1")?;
        text += &tried.draw(13);
        let indexed = &self.symbols[&TileId::ROOT];
        text += &indexed.draw(14);
        let marks: Symbols = vec![Mark::default()];
        for mark in marks.iter().map(|mark| mark.draw(15)) {
            text += &mark;
        }
        let circle = shapes::circle();
        text += &circle.draw(left + right);
        text += &Plain.pack(text.as_bytes()).len().to_string();
        text += &packing::checksum(text.as_bytes()).to_string();
        let id = locate(0, 0.0, 0.0);
        let _ = pyramid::tile_at(1, 0.0, 0.0) == id;
        text += &generic::<Label>(Label::default());
        text += &<Symbol as Draw>::draw(&BLANK, 16);
        text += &(circle).draw(17);
        Ok(checksum(text.as_bytes()).to_string() + &Self::footer())
    }

    fn parse<T: Draw + Default>(&self, _: &str) -> Outcome<T> {
        Ok(T::default())
    }

    fn footer() -> String {
        let draw = |label: Label| label.draw(18);
        draw(Symbol::default().into())
    }

    pub async fn wait(&self, part: &Part) -> String {
        let symbol = part.load().await;
        symbol.draw(19)
    }
}

fn generic<T: Draw>(value: T) -> String {
    value.draw(20)
}

fn hidden(generic: fn(u32) -> u32, [checksum, ..]: [fn(u32) -> u32; 2]) -> u32 {
    let locate = generic;
    generic(1) + checksum(2) + locate(3)
}
