//! Which skills one agent may use. A filter never makes a skill eligible or ineligible.

/// An agent's allowlist of skill names.
///
/// No list means no filter; an empty list means no skills. Names are compared exactly, and a skill's
/// config key does not count.
///
/// ```
/// # use prowess_gate::AgentFilter;
/// let filter = AgentFilter::new(Some(&[" weather ".to_owned(), String::new()]));
/// assert!(filter.allows("weather"));
/// assert!(!filter.allows("Weather"));
/// assert!(AgentFilter::new(None).allows("anything"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentFilter {
    names: Option<Vec<String>>,
}

impl AgentFilter {
    /// A filter from a configured list: names are trimmed, blank ones dropped.
    pub fn new(configured: Option<&[String]>) -> Self {
        let trimmed = |names: &[String]| {
            let names = names.iter().map(|name| name.trim());
            names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
        };
        Self { names: configured.map(trimmed) }
    }

    /// Returns true if the agent may use the skill of this name.
    pub fn allows(&self, name: &str) -> bool {
        self.names.as_ref().is_none_or(|names| names.iter().any(|allowed| allowed == name))
    }

    /// The names, in the order in which they were configured; `None` when nothing is filtered.
    pub fn names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(names: &[&str]) -> AgentFilter {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        AgentFilter::new(Some(&names))
    }

    #[test]
    fn an_empty_list_hides_all_and_no_list_hides_nothing() {
        assert!(!filter(&[]).allows("a"));
        assert!(!filter(&["", "  "]).allows(""));
        assert!(AgentFilter::default().allows("a"));
        assert_eq!(AgentFilter::default().names(), None);
    }

    #[test]
    fn names_are_trimmed_kept_in_order_and_compared_exactly() {
        let filter = filter(&[" b", "a ", " "]);
        assert_eq!(filter.names(), Some(&["b".to_owned(), "a".to_owned()][..]));
        assert!(filter.allows("a"));
        assert!(!filter.allows("A"));
        assert!(!filter.allows("a "));
    }
}
