// A three-way merge of a config: the text that was read, the edit made here, and the current file.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface Merged {
  value: Json;
  /** Places where both sides changed the same to something else; there, ours stands in the value. */
  conflicts: string[];
}

/** Objects are merged member by member, everything else as a whole. */
export function merge(base: Json | undefined, ours: Json, theirs: Json | undefined): Merged {
  const conflicts: string[] = [];
  const value = join(base, ours, theirs, "", conflicts);
  return { value: value ?? null, conflicts };
}

function join(
  base: Json | undefined,
  ours: Json | undefined,
  theirs: Json | undefined,
  place: string,
  conflicts: string[],
): Json | undefined {
  if (same(ours, theirs) || same(base, theirs)) return ours;
  if (same(base, ours)) return theirs;
  if (isObject(ours) && isObject(theirs)) {
    const before = isObject(base) ? base : {};
    const result: { [key: string]: Json } = {};
    for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
      const member = join(before[key], ours[key], theirs[key], place ? `${place}.${key}` : key, conflicts);
      if (member !== undefined) result[key] = member;
    }
    return result;
  }
  conflicts.push(place);
  return ours;
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True if two values are equal; the order of members does not matter. */
export function same(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => same(item, b[index]));
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((key) => key in b && same(a[key], b[key]));
  }
  return false;
}
