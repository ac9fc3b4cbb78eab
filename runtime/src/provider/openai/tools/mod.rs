//! The tools that OpenAI defines.
