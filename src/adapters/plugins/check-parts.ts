import { z } from 'zod';
import type { Tool } from '#spec/ports';
import type { PluginParts } from '#spec/ports';
import type { Manifest } from './manifest.ts';

/** Names that something else has already: what is built in, and what plugins before this one brought. */
export interface TakenNames {
  readonly tools: ReadonlySet<string>;
  readonly providers: ReadonlySet<string>;
  readonly sandboxes: ReadonlySet<string>;
  readonly commands: ReadonlySet<string>;
}

export type PartKind = keyof TakenNames;

const isFunction = (value: unknown): boolean => typeof value === 'function';
const NAMES: Readonly<Record<PartKind, RegExp>> = {
  tools: /^[a-z][a-z0-9_]{0,63}$/,
  providers: /^[a-z0-9][a-z0-9_-]{0,63}$/,
  sandboxes: /^[a-z0-9][a-z0-9_-]{0,63}$/,
  commands: /^[a-z][a-z0-9-]{0,63}$/,
};

const schema = z.custom<z.ZodType>((value) => value instanceof z.ZodType, 'has to be made with api.z');
const fn = z.custom(isFunction, 'has to be a function');
const SHAPES = {
  tools: z.looseObject({
    name: z.string(),
    description: z.string().min(1),
    input: schema,
    effect: fn,
    run: fn,
    footprint: fn.optional(),
    deed: fn.optional(),
    missing: fn.optional(),
  }),
  providers: z.looseObject({
    id: z.string(),
    label: z.string(),
    endpoints: z.record(z.string(), z.string()),
    auth: z.string(),
    keys: z.array(z.string()),
  }),
  sandboxes: z.looseObject({ type: z.string(), options: schema, available: fn, open: fn }),
  commands: z.looseObject({ name: z.string(), summary: z.string(), run: fn }),
} satisfies Record<PartKind, z.ZodType>;

/** What a part is called, whatever its kind calls that. */
const nameOf = (part: object): string =>
  String(Reflect.get(part, 'name') ?? Reflect.get(part, 'id') ?? Reflect.get(part, 'type'));

/** What is wrong with what a plugin brought, compared with what its manifest says and with the names that are taken. */
export function findPartProblem(
  parts: unknown,
  provides: Manifest['provides'],
  taken: TakenNames,
): string | undefined {
  if (typeof parts !== 'object' || parts === null) return 'its main function gave nothing back';
  for (const kind of Object.keys(parts))
    if (!Object.hasOwn(SHAPES, kind)) return `it brings '${kind}', which is unknown`;
  for (const kind of Object.keys(SHAPES) as PartKind[]) {
    const list: unknown = Reflect.get(parts, kind) ?? [];
    const problem = Array.isArray(list)
      ? listProblem(kind, list, provides[kind], taken[kind])
      : `${kind}: not a list`;
    if (problem) return problem;
  }
  return undefined;
}

function listProblem(
  kind: PartKind,
  list: readonly unknown[],
  declared: readonly string[],
  taken: ReadonlySet<string>,
): string | undefined {
  const found = new Set<string>();
  for (const part of list) {
    const read = SHAPES[kind].safeParse(part);
    const [issue] = read.error?.issues ?? [];
    const name = typeof part === 'object' && part !== null ? nameOf(part) : '?';
    if (issue)
      return `${kind}: '${name}': ${[issue.path.join('.'), issue.message].filter(Boolean).join(': ')}`;
    if (!NAMES[kind].test(name)) return `${kind}: '${name}' cannot be a name`;
    if (taken.has(name) || found.has(name)) return `${kind}: the name '${name}' is taken`;
    if (!declared.includes(name)) return `${kind}: '${name}' is not named under provides`;
    found.add(name);
  }
  const missing = declared.find((name) => !found.has(name));
  return missing === undefined
    ? undefined
    : `${kind}: '${missing}' is named under provides and was not brought`;
}

export const partNames = (list: readonly object[] = []): string[] => list.map(nameOf);

/** A plugin's tools are switched off by its own name, and a level that makes no sense is the one that asks a person. */
export function guardTools(plugin: string, { tools = [] }: PluginParts): Tool[] {
  return tools.map((tool) => ({
    ...tool,
    toolset: `plugin-${plugin}`,
    effect: (input) => {
      try {
        const level = tool.effect(input);
        return [0, 1, 2, 3].includes(level) ? level : 3;
      } catch {
        // It does not know its own call, so a person has to.
        return 3;
      }
    },
  }));
}
