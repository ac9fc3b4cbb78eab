// States of all shapes, also where names of the prelude mean something else.
#![no_implicit_prelude]
#![allow(dead_code)]
#![deny(warnings)]

use ::haft::{CallContext, State, Toolkit, tool, toolkit};
use ::std::string::String;

struct Option;

#[derive(State)]
struct Generic<T: ::std::marker::Copy>(T)
where
    T: ::std::cmp::Eq;

#[derive(State)]
#[state(crate = ::haft)]
struct Unit;

#[derive(State)]
struct Named {
    r#type: Option,
    #[state(skip)]
    a: u8,
    #[state(skip)]
    b: u8,
}

/// Take several.
#[tool]
async fn several<'a>(one: &'a u8, two: &'a String, cx: &CallContext, value: u8) -> u8 {
    let _ = (two, cx);
    *one + value
}

/// Take one of a module's names.
#[tool]
fn keyword(r#type: &Option) -> u8 {
    let _ = r#type;
    1
}

#[derive(State)]
struct Both {
    a: u8,
    b: String,
}

trait Clock {
    fn hour(&self) -> u8;
}

struct Noon;

impl Clock for Noon {
    fn hour(&self) -> u8 {
        12
    }
}

struct Watch(Noon);

impl ::haft::Provide<dyn Clock + ::std::marker::Send + ::std::marker::Sync> for Watch {
    fn provide(&self) -> &(dyn Clock + ::std::marker::Send + ::std::marker::Sync + 'static) {
        &self.0
    }
}

/// Tell the hour.
#[tool]
async fn hour(clock: &(dyn Clock + ::std::marker::Send + ::std::marker::Sync)) -> u8 {
    clock.hour()
}

fn main() {
    let _: Toolkit = toolkit![hour].with_state(Watch(Noon));
    let both = Both { a: 1, b: String::new() };
    let _: Toolkit = toolkit![several].with_state(both);
    let _: Toolkit = toolkit![keyword].with_state(Named { r#type: Option, a: 1, b: 2 });
}
