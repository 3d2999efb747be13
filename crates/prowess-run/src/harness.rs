//! Other agent programs: what each is called, how it takes a prompt, where it looks for skills.
