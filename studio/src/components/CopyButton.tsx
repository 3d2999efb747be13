import { useState } from "react";
import { Button } from "./Button";

/** Copies a text and says so. `name` distinguishes it for screen readers. */
export function CopyButton({ text, label = "Copy", name }: { text: string; label?: string; name?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    } catch {
      setCopied(false);
    }
  };
  return (
    <Button
      size="small"
      look="quiet"
      icon={copied ? "check" : "copy"}
      {...(name && !copied && { "aria-label": name })}
      onClick={copy}
    >
      {copied ? "Copied" : label}
    </Button>
  );
}
