// Markdown as React elements. Nothing is ever put into the page as HTML: raw HTML is shown as the text it is, images
// are named instead of fetched, and links go only where a reader can see that they lead out.

import { lexer, type Token, type Tokens } from "marked";
import { type ReactNode, useMemo } from "react";
import { isSafeLink } from "../lib/links";

export default function Markdown({ text }: { text: string }) {
  const tokens = useMemo(() => lexer(text), [text]);
  return <div className="markdown">{blocks(tokens)}</div>;
}

function blocks(tokens: Token[]): ReactNode[] {
  return tokens.map((token, index) => <Block key={`${index}:${token.type}`} token={token} />);
}

function inlines(tokens: Token[] | undefined): ReactNode[] {
  return (tokens ?? []).map((token, index) => <Inline key={`${index}:${token.type}`} token={token} />);
}

function Block({ token }: { token: Token }): ReactNode {
  switch (token.type) {
    case "heading": {
      // The page has its own h1 and h2.
      const level = Math.min((token as Tokens.Heading).depth + 2, 6);
      const Tag = `h${level}` as "h3" | "h4" | "h5" | "h6";
      return <Tag>{inlines(token.tokens)}</Tag>;
    }
    case "paragraph":
      return <p>{inlines(token.tokens)}</p>;
    case "text":
      return token.tokens ? inlines(token.tokens) : token.text;
    case "code":
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide listing can be scrolled by keyboard
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      );
    case "blockquote":
      return <blockquote>{blocks(token.tokens ?? [])}</blockquote>;
    case "list": {
      const list = token as Tokens.List;
      const items = list.items.map((item, index) => (
        <li key={index}>
          {item.task && (item.checked ? "☑ " : "☐ ")}
          {blocks(item.tokens)}
        </li>
      ));
      return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>;
    }
    case "table":
      return <Table table={token as Tokens.Table} />;
    case "hr":
      return <hr />;
    case "html":
      return <pre className="raw">{token.raw}</pre>;
    case "space":
    case "def":
      return null;
    default:
      return <p>{token.raw}</p>;
  }
}

function Table({ table }: { table: Tokens.Table }) {
  return (
    <div className="scroll-x">
      <table className="table">
        <thead>
          <tr>
            {table.header.map((cell, index) =>
              cell.text.trim() ? (
                <th key={index} scope="col">
                  {inlines(cell.tokens)}
                </th>
              ) : (
                <td key={index} />
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{inlines(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Inline({ token }: { token: Token }): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong>{inlines(token.tokens)}</strong>;
    case "em":
      return <em>{inlines(token.tokens)}</em>;
    case "del":
      return <del>{inlines(token.tokens)}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return <Link href={(token as Tokens.Link).href}>{inlines(token.tokens)}</Link>;
    case "image":
      return <span className="chip plain">image: {token.text || (token as Tokens.Image).href}</span>;
    case "escape":
      return token.text;
    case "text":
      return token.tokens ? inlines(token.tokens) : token.text;
    default:
      return token.raw;
  }
}

function Link({ href, children }: { href: string; children: ReactNode }) {
  if (!isSafeLink(href)) return <span title={href}>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}
