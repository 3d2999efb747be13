//! Programs: started with exactly the environment of the run, limited, and ended with all their children.
