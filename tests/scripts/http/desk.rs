//! [`Post`]: the server that answers all scripts, and the runtime that drives what asks it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use haft::serde_json::{Value, json};
use haft_tests::server::{RequestSeen, Server, ServerReply};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::judges::Asked;
use super::stored::Stored;
use crate::world::Shared;

/// A server, and the runtime in which it is asked.
pub(crate) struct Post {
    pub(super) server: Server,
    pub(super) desk: Arc<Desk>,
    runtime: Handle,
    /// As long as this is there, the runtime runs.
    _stays: oneshot::Sender<()>,
}

/// What waits to be asked for, by its address: the first part of the path.
#[derive(Debug, Default)]
pub(super) struct Desk {
    orders: Mutex<HashMap<String, Order>>,
    addresses: AtomicUsize,
}

/// An answer, and what is known of who asks for it.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) shared: Shared,
    pub(super) asked: Asked,
    /// Until it was given.
    pub(super) reply: Option<ServerReply>,
    pub(super) memory: Option<Memory>,
}

/// Of an API that stores its replies, those; and the reply that is to be one of them.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) stored: Arc<Stored>,
    pub(super) reply: Value,
    /// Whether all is lost before this is asked for.
    pub(super) is_lost: bool,
}

impl Post {
    pub(crate) fn open() -> Self {
        let desk = Arc::new(Desk::default());
        let handler = {
            let desk = Arc::clone(&desk);
            move |request: &RequestSeen| desk.answer(request)
        };
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build().unwrap();
        let handle = runtime.handle().clone();
        let (stays, leaves) = oneshot::channel::<()>();
        // Scripts are polled in threads of their own; what they spawn, such as connections, is driven here.
        thread::spawn(move || runtime.block_on(leaves));
        Self {
            server: Server::forgetful(handler),
            desk,
            runtime: handle,
            _stays: stays,
        }
    }

    /// For each thread that plays scripts.
    pub(crate) const fn runtime(&self) -> &Handle {
        &self.runtime
    }
}

impl Desk {
    fn orders(&self) -> MutexGuard<'_, HashMap<String, Order>> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An address that nobody has had.
    pub(super) fn new_address(&self) -> String {
        format!("a{}", self.addresses.fetch_add(1, Ordering::Relaxed))
    }

    pub(super) fn leave(&self, address: &str, order: Order) {
        self.orders().insert(address.to_owned(), order);
    }

    pub(super) fn forget(&self, address: &str) {
        self.orders().remove(address);
    }

    /// Answers a request, and judges it.
    fn answer(&self, request: &RequestSeen) -> ServerReply {
        let address = request.path.split('/').nth(1).unwrap_or_default();
        let mut orders = self.orders();
        let Some(order) = orders.get_mut(address) else {
            // Whoever has asked is gone.
            return ServerReply::json(500, &Value::Null);
        };
        let mut body = request.json().unwrap_or_default();
        if let Some(memory) = &mut order.memory {
            if std::mem::take(&mut memory.is_lost) {
                memory.stored.lose();
            }
            if let Err(lost) = memory.stored.complete(&mut body) {
                return ServerReply::json(400, &lost);
            }
            memory.stored.keep(&memory.reply, &body);
        }
        let fault = match order.reply {
            Some(_) => order.asked.fault(&body),
            None => Some("it is asked for twice".to_owned()),
        };
        if let Some(fault) = fault {
            let mut world = order.shared.world();
            world.note(|| format!("  at the server: {body}"));
            world.fault(format!("at the server: {fault}"));
        }
        let reply = order.reply.take();
        reply.unwrap_or_else(|| ServerReply::json(500, &json!({})))
    }
}
