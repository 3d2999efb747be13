//! Words about the MCP server.

pub(crate) const EXAMPLES: &str = "\
Examples:
  prowess mcp                        for a host that starts the program itself
  prowess mcp --agent writer         with the skills of one agent

A host starts it and talks to it over standard input and output. To add it:
  Claude Code   claude mcp add prowess -- prowess mcp
  Codex         codex mcp add prowess -- prowess mcp
  Cursor        ~/.cursor/mcp.json: {\"mcpServers\": {\"prowess\": {\"command\": \"prowess\", \"args\": [\"mcp\"]}}}

Over HTTP the same server is at `/mcp` of `prowess gateway`. docs/mcp.md explains every tool.";
