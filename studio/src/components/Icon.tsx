// A small set of line icons, 16 by 16. They are decoration: text says the same.

const PATHS = {
  agent: "M8 8.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2.5 14a5.5 5.5 0 0 1 11 0",
  all: "M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM1.5 8h13M8 1.5c2 2 2.7 4.2 2.7 6.5S10 12.5 8 14.5C6 12.5 5.3 10.3 5.3 8S6 3.5 8 1.5",
  skills: "M2.5 3.5h11M2.5 8h11M2.5 12.5h7",
  playground: "M2 3h12v8H8.5L5 14v-3H2ZM5 6h6M5 8.5h4",
  sessions: "M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM8 4.5V8l2.5 2",
  settings:
    "M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7M10.5 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM5.5 13.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
  setup:
    "M9.8 2.2a3.6 3.6 0 0 0-3.3 5L2 11.7 4.3 14l4.5-4.5a3.6 3.6 0 0 0 5-3.3c0-.5-.1-1-.3-1.4L11.3 7 9 4.7l2.2-2.2a3.6 3.6 0 0 0-1.4-.3Z",
  registry: "M8 1.5 14 5v6l-6 3.5L2 11V5ZM2 5l6 3.5L14 5M8 8.5v6",
  cortex:
    "M4 11.5a2 2 0 1 0 0-.1M12 11.5a2 2 0 1 0 0-.1M8 4.5a2 2 0 1 0 0-.1M5 9.8 7 6.2M11 9.8 9 6.2M6 11.5h4",
  forge: "M3 13.5h10M5 13.5c0-2 1-3 1-4.5H3.5C2.5 9 2 8 2 7h12c0 2-2 3-4 3 0 1.5 1 2 1 3.5M6 7V3h4v4",
  check: "m3 8.5 3.2 3.2L13 4.8",
  cross: "m4 4 8 8M12 4l-8 8",
  wrench:
    "M9.8 2.2a3.6 3.6 0 0 0-3.3 5L2 11.7 4.3 14l4.5-4.5a3.6 3.6 0 0 0 5-3.3c0-.5-.1-1-.3-1.4L11.3 7 9 4.7l2.2-2.2a3.6 3.6 0 0 0-1.4-.3Z",
  blocked: "M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM3.4 3.4l9.2 9.2",
  power: "M8 1.5V8M4.3 4a5.5 5.5 0 1 0 7.4 0",
  warning: "M8 2 1.5 13.5h13ZM8 6.5v3.5M8 11.9v.1",
  info: "M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM8 7.5V11M8 4.9V5",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.7 10.7 14 14",
  copy: "M5.5 5.5h8v8h-8ZM10.5 5.5v-3h-8v8h3",
  layers: "m8 2 6 3-6 3-6-3ZM2 8l6 3 6-3M2 11l6 3 6-3",
  sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  moon: "M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z",
  screen: "M2 3h12v8H2ZM6 14h4M8 11v3",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  back: "M9.5 3.5 5 8l4.5 4.5",
  forward: "M6.5 3.5 11 8l-4.5 4.5",
  refresh: "M13.5 8A5.5 5.5 0 1 1 12 4.2M12.2 1.5v3h-3",
  file: "M4 1.5h5L12.5 5v9.5h-8.5ZM9 1.5V5h3.5",
  trash: "M2.5 4h11M6 4V2.5h4V4M4 4l.700 10h6.6L12 4M6.7 7v4.5M9.3 7v4.5",
  play: "M4.5 2.5v11l9-5.5Z",
  plus: "M8 3v10M3 8h10",
  keyboard: "M1.5 4h13v8h-13ZM4 6.5h.1M6.7 6.5h.1M9.3 6.5h.1M12 6.5h.1M4.5 9.5h7",
  link: "M6.5 9.5 9.5 6.5M7.5 4.5l1.5-1.5a2.8 2.8 0 0 1 4 4l-1.5 1.5M8.5 11.5 7 13a2.8 2.8 0 0 1-4-4l1.5-1.5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
