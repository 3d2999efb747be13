//! From a session that worked to a draft of a skill.
