/** A toolset of the user's own: tools by name, and all of other toolsets, which may be their own as well. */
export interface OwnToolset {
  readonly tools: readonly string[];
  readonly includes: readonly string[];
}

type OwnToolsets = Readonly<Record<string, OwnToolset>>;

const NONE: OwnToolset = { tools: [], includes: [] };

/** Every toolset and tool that the names stand for. A built-in toolset stands for itself. */
export function expandToolsets(names: readonly string[], own: OwnToolsets): ReadonlySet<string> {
  const reached = reach(names, own);
  return new Set([...reached, ...[...reached].flatMap((name) => find(own, name).tools)]);
}

/** Whether one of them includes itself, by whatever way. */
export const includesItself = (own: OwnToolsets): boolean =>
  Object.keys(own).some((name) => reach(find(own, name).includes, own).has(name));

const find = (own: OwnToolsets, name: string): OwnToolset =>
  (Object.hasOwn(own, name) ? own[name] : undefined) ?? NONE;

function reach(names: readonly string[], own: OwnToolsets): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (name: string): void => {
    if (reached.has(name)) return;
    reached.add(name);
    find(own, name).includes.forEach(visit);
  };
  names.forEach(visit);
  return reached;
}
