//! What a reply comes to, and what is told of it while it arrives.
