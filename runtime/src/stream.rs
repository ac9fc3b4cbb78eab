//! [`StreamEvent`] and [`ReplyStream`]: a reply as it arrives, from any provider.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::stream::{self, Stream, StreamExt, TryStreamExt};

use crate::api::Api;
use crate::error::Error;
use crate::json::RawJson;
use crate::message::{Content, Message, Native, Reply, Role, Usage};

/// One thing that happens while a reply arrives from a [`Provider`](crate::Provider).
///
/// A reply that does not stream is one event, [`Reply`](Self::Reply); a stream has what its API tells before that, and
/// the reply in the end. Blocks are told apart by their index in the reply; a block's parts may come between those of
/// others. (A program that runs a [`Runner`](crate::Runner) gets its [`Event`](crate::Event)s, which have what happens to
/// calls, too.)
///
/// What a provider of one's own tells of a reply. Only the last event is needed; the others are for programs that show a
/// reply while it arrives, and [`BlockStop`](Self::BlockStop) for calls that are [eager](crate::Runner::eager).
///
/// ```
/// use futures_util::stream;
/// use haft::{Content, Message, Reply, ReplyStream, StopReason, StreamEvent, StreamedBlock};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let block = Content::text("Hello!");
/// let events = [
///     StreamEvent::BlockStart { index: 0, content: Content::text("") },
///     StreamEvent::TextDelta { index: 0, text: "Hello!".to_owned() },
///     StreamEvent::BlockStop(StreamedBlock::new(0, block)),
///     StreamEvent::Reply(Reply::new(Message::assistant("Hello!"), StopReason::EndTurn)),
/// ];
/// let stream = ReplyStream::new(stream::iter(events.map(Ok)));
/// assert_eq!(stream.into_reply().await?.text(), "Hello!");
/// # Ok::<(), haft::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StreamEvent {
    /// A block begins, with what is known of it: a text is empty, a call has its id and name.
    BlockStart {
        /// Its place in the reply.
        index: usize,
        /// The block so far.
        content: Content,
    },
    /// The next part of a text.
    TextDelta {
        /// The block's place in the reply.
        index: usize,
        /// The part.
        text: String,
    },
    /// The next part of the model's reasoning.
    ThinkingDelta {
        /// The block's place in the reply.
        index: usize,
        /// The part.
        text: String,
    },
    /// The next part of a call's input: text that is JSON when its parts are joined.
    InputDelta {
        /// The block's place in the reply.
        index: usize,
        /// The part.
        json: String,
    },
    /// A block is there whole.
    BlockStop(StreamedBlock),
    /// Another model answers from here on: calls in the blocks so far are neither run nor answered.
    SetAside,
    /// The reply begins anew: all that was told of it is void.
    Restart,
    /// The tokens of this reply so far; the last account counts, also if the stream is then cut. Attempts that a
    /// provider has made before, and given up, are not in it.
    Usage(Usage),
    /// The whole reply. It is the last event.
    Reply(Reply),
}

/// A whole block of a reply that is still arriving.
///
/// ```
/// use haft::{RawJson, StreamedBlock, ToolCall, Content};
///
/// let call = ToolCall::new("call_1", "look", RawJson::empty_object());
/// let block = StreamedBlock::new(2, Content::ToolCall(call));
/// assert_eq!(block.index(), 2, "the third of its reply");
/// assert!(block.content().as_tool_call().is_some());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct StreamedBlock {
    index: usize,
    content: Content,
    /// The block in its API's form.
    native: Option<RawJson>,
}

impl StreamedBlock {
    /// A block in its neutral form.
    #[must_use]
    pub const fn new(index: usize, content: Content) -> Self {
        Self {
            index,
            content,
            native: None,
        }
    }

    /// With the block as it came, so that it goes back whole even if the rest of the reply does not come.
    pub(crate) fn with_native(mut self, native: RawJson) -> Self {
        self.native = Some(native);
        self
    }

    /// Its place in the reply.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index
    }

    /// The block.
    #[must_use]
    pub const fn content(&self) -> &Content {
        &self.content
    }
}

/// The blocks of a reply that are there whole, for when the rest of it does not come.
#[derive(Clone, Debug, Default)]
pub(crate) struct WholeBlocks(Vec<StreamedBlock>);

impl WholeBlocks {
    /// Takes a block in. One that comes again is the same block.
    pub(crate) fn insert(&mut self, block: StreamedBlock) {
        match self
            .0
            .binary_search_by_key(&block.index, StreamedBlock::index)
        {
            Ok(_) => {}
            Err(at) => self.0.insert(at, block),
        }
    }

    /// Whether the block at `index` is whole, and all before it.
    pub(crate) fn are_whole_to(&self, index: usize) -> bool {
        let block = self.0.get(index);
        block.is_some_and(|block| block.index == index)
    }

    /// The reply up to its first block that is not whole, as an entry of the history.
    pub(crate) fn to_message(&self, api: Api, model: &str) -> Message {
        let whole = self.0.iter().enumerate();
        let whole: Vec<_> = whole
            .take_while(|(at, block)| *at == block.index)
            .map(|(_, block)| block)
            .collect();
        let content = whole.iter().map(|block| block.content.clone()).collect();
        let blocks: Option<Vec<_>> = whole.iter().map(|block| block.native.clone()).collect();
        let native = blocks.map(|blocks| Native {
            api,
            model: model.to_owned(),
            frame: None,
            blocks,
        });
        Message::with_native(Role::Assistant, content, native)
    }
}

/// A reply as it arrives: a stream of [`StreamEvent`]s that ends with the reply, or with an error.
///
/// Boxed, so that providers of different kinds stand behind `dyn Provider`; it may borrow the provider and what is
/// asked. A provider that has whole replies makes one with [`from_future`](Self::from_future), one that streams with
/// [`new`](Self::new).
///
/// A wrapper that asks another provider where the first cannot answer, but not any more once something of its reply
/// was handed on:
///
/// ```
/// use haft::{Api, ModelCall, Provider, ReplyStream};
///
/// /// Two servers of one API: the second answers where the first cannot.
/// #[derive(Debug)]
/// struct Either<P>(P, P);
///
/// impl<P: Provider> Provider for Either<P> {
///     fn api(&self) -> Api {
///         self.0.api()
///     }
///
///     fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
///         ReplyStream::open(async move {
///             match self.0.send(call).begun().await {
///                 Err(error) if error.is_retryable() => Ok(self.1.send(call)),
///                 reply => reply,
///             }
///         })
///     }
/// }
/// ```
pub struct ReplyStream<'a>(Pin<Box<dyn Stream<Item = Result<StreamEvent, Error>> + Send + 'a>>);

impl<'a> ReplyStream<'a> {
    /// A stream of a provider's own. It is to end with a [`StreamEvent::Reply`] or an error; one that ends otherwise
    /// is told as an error.
    ///
    /// A wrapper that looks at each event of another provider's stream:
    ///
    /// ```
    /// use haft::{ReplyStream, StreamEvent, StreamExt};
    ///
    /// fn logged(stream: ReplyStream<'_>) -> ReplyStream<'_> {
    ///     ReplyStream::new(stream.inspect(|event| match event {
    ///         Ok(StreamEvent::Usage(usage)) => println!("{} tokens so far", usage.output),
    ///         Err(error) => println!("it failed: {error}"),
    ///         Ok(_) => {}
    ///     }))
    /// }
    /// ```
    pub fn new(events: impl Stream<Item = Result<StreamEvent, Error>> + Send + 'a) -> Self {
        Self(Box::pin(events))
    }

    /// A whole reply that is yet to come.
    ///
    /// ```
    /// use haft::{Message, Reply, ReplyStream, StopReason};
    ///
    /// let reply = Reply::new(Message::assistant("Hello!"), StopReason::EndTurn);
    /// let stream = ReplyStream::from_future(async { Ok(reply) });
    /// ```
    pub fn from_future(reply: impl Future<Output = Result<Reply, Error>> + Send + 'a) -> Self {
        Self::new(stream::once(async { reply.await.map(StreamEvent::Reply) }))
    }

    /// A stream that has to be opened first, such as by a request whose answer then streams. Nothing is done before the
    /// stream is asked for its first event.
    ///
    /// ```
    /// use haft::{Error, ReplyStream, StreamEvent};
    ///
    /// # struct Connection;
    /// # impl Connection {
    /// #     async fn open() -> Result<Self, Error> { Ok(Self) }
    /// #     fn events(self) -> impl haft::Stream<Item = Result<StreamEvent, Error>> + Send {
    /// #         futures_util::stream::empty()
    /// #     }
    /// # }
    /// let stream = ReplyStream::open(async {
    ///     let connection = Connection::open().await?;
    ///     Ok(ReplyStream::new(connection.events()))
    /// });
    /// ```
    pub fn open(opening: impl Future<Output = Result<Self, Error>> + Send + 'a) -> Self {
        Self::new(stream::once(opening).try_flatten())
    }

    /// The same stream once something of the reply is there: the last moment at which another provider can be asked
    /// instead, since nothing was handed on. What the reply took is not yet of it. [`ReplyStream`] has an example.
    ///
    /// # Errors
    /// Where it fails before that.
    pub async fn begun(mut self) -> Result<Self, Error> {
        let mut usage = None;
        loop {
            match self.next().await.transpose()? {
                Some(told @ StreamEvent::Usage(_)) => usage = Some(Ok(told)),
                Some(first) => {
                    let first = usage.into_iter().chain([Ok(first)]);
                    return Ok(Self::new(stream::iter(first).chain(self)));
                }
                None => return Err(without_reply()),
            }
        }
    }

    /// Only the reply, at its end.
    ///
    /// ```
    /// # use haft::{Error, ModelCall, Provider};
    /// # async fn example<P: Provider>(provider: P, call: ModelCall<'_>) -> Result<(), Error> {
    /// // In a wrapper that is to see the whole reply, whether it is streamed or not.
    /// let reply = provider.send(call).into_reply().await?;
    /// println!("{}", reply.text());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Where the stream fails, or has none.
    pub async fn into_reply(mut self) -> Result<Reply, Error> {
        while let Some(event) = self.next().await.transpose()? {
            if let StreamEvent::Reply(reply) = event {
                return Ok(reply);
            }
        }
        Err(without_reply())
    }
}

/// What a stream without an end to it is told as.
pub(crate) fn without_reply() -> Error {
    Error::protocol("the provider's stream ended without a reply: end it with `StreamEvent::Reply`")
}

impl Stream for ReplyStream<'_> {
    type Item = Result<StreamEvent, Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(cx)
    }
}

impl fmt::Debug for ReplyStream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReplyStream(..)")
    }
}
