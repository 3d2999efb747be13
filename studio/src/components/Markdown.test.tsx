import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import Markdown from "./Markdown";

const html = (text: string) => renderToStaticMarkup(createElement(Markdown, { text }));

describe("Markdown", () => {
  it("shows raw HTML as the text it is", () => {
    const shown = html('before <script>alert(1)</script>\n\n<img src=x onerror="alert(1)">\n');
    expect(shown).not.toContain("<script");
    expect(shown).not.toContain("<img");
    expect(shown).toContain("&lt;script&gt;");
  });

  it("names images instead of fetching them", () => {
    const shown = html("![a chart](https://example.org/a.png)");
    expect(shown).not.toContain("<img");
    expect(shown).toContain("image: a chart");
  });

  it("links only to the web and to mail", () => {
    expect(html("[a](https://example.org)")).toContain('href="https://example.org"');
    expect(html("[a](javascript:alert(1))")).not.toContain("href");
    expect(html("[a](references/x.md)")).not.toContain("href");
  });

  it("keeps lists, tables and code", () => {
    const shown = html("# T\n\n- [x] a\n- b\n\n|h|\n|-|\n|`c`|\n\n```sh\nls <x>\n```\n");
    expect(shown).toContain("<h3>T</h3>");
    expect(shown).toContain("☑ ");
    expect(shown).toContain('<th scope="col">h</th>');
    expect(shown).toContain("<code>ls &lt;x&gt;</code>");
  });
});
