// The search part of each address, with its types. The router checks an address with these readers, links are typed by
// them, and pages read them with `useSearchState`.

type Reader<T> = (value: unknown) => T | undefined;
type Fields = Record<string, Reader<string | number>>;

/** The values that a table of readers gives. A field that an address lacks, or whose value is not valid, is left out. */
export type SearchOf<F extends Fields> = { [K in keyof F]?: NonNullable<ReturnType<F[K]>> | undefined };
export type SearchReader<S> = (search: Record<string, unknown>) => S;

const text: Reader<string> = (value) =>
  (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : undefined;

const count: Reader<number> = (value) => {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
};

const oneOf =
  <const T extends readonly string[]>(...values: T): Reader<T[number]> =>
  (value) =>
    values.find((one) => one === value);

function reader<F extends Fields>(fields: F): SearchReader<SearchOf<F>> {
  return (search) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, read]) => {
        const value = read(search[name]);
        return value === undefined ? [] : [[name, value]];
      }),
    ) as SearchOf<F>;
}

const readiness = oneOf("any", "usable", "ready", "setup", "unsupported", "off");

const skillsFields = {
  q: text,
  state: readiness,
  access: oneOf("any", "allowed", "denied"),
  source: text,
  skill: text,
};
export const skillsSearch = reader(skillsFields);

/** One skill; `from` is the page that led there. */
export const skillSearch = reader({ from: oneOf("settings") });

const setupFields = { q: text, state: readiness, skill: text, seen: text, agent: text };
export const setupSearch = reader(setupFields);

/** The settings of an agent; the skills and the setup are two of their tabs. */
export const homeSearch = reader({
  ...skillsFields,
  ...setupFields,
  settingsAgentId: text,
  tab: text,
  file: text,
});

export const playgroundSearch = reader({ message: text });

export const sessionsSearch = reader({
  q: text,
  state: oneOf("any", "running", "success", "failed", "unknown"),
  limit: count,
});

export const sessionSearch = reader({ run: text, prompt: text });

export const registrySearch = reader({
  tab: oneOf("search", "installed"),
  q: text,
  skill: text,
  update: text,
});

export const cortexSearch = reader({ tab: text, kind: text, q: text });

export const forgeSearch = reader({ draft: text, state: text });
