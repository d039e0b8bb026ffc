import { readFile } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { HOOK_RULES, type HookEvent } from '#spec/ports';

const MOST_BYTES = 64 * 1024;
const MOST_TIMEOUT_S = 60;
const PLUGIN_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

const EVENTS = Object.keys(HOOK_RULES) as [HookEvent, ...HookEvent[]];

/** A path below the plugin's folder. */
const InnerPath = z
  .string()
  .refine(
    (path) => !isAbsolute(path) && !normalize(path).startsWith('..'),
    'has to lie in the folder of the plugin',
  );

const Hook = z
  .strictObject({
    event: z.enum(EVENTS),
    command: z.string().min(1).optional(),
    export: z.string().min(1).optional(),
    timeout: z.number().positive().max(MOST_TIMEOUT_S).optional(),
    /** What it could not look at does not happen. Only for events that can be kept from happening. */
    required: z.boolean().default(false),
  })
  .refine(
    ({ command, export: name }) => Boolean(command) !== Boolean(name),
    'needs either command or export',
  );

const names = z.array(z.string()).default([]);

const Manifest = z.strictObject({
  name: z.string().regex(PLUGIN_NAME),
  version: z.string().min(1).max(64),
  description: z.string().max(500).default(''),
  main: InnerPath.refine(
    (path) => /\.(?:ts|mts|js|mjs)$/.test(path),
    'has to be a .ts or .js file',
  ).optional(),
  hooks: z.array(Hook).default([]),
  provides: z
    .strictObject({
      tools: names,
      providers: names,
      sandboxes: names,
      commands: names,
      skills: InnerPath.optional(),
    })
    .prefault({}),
});

/** What `plugin.yaml` says. */
export type Manifest = z.infer<typeof Manifest>;

/** Reads the manifest of one folder. What is wrong with it is a sentence fragment, for whoever names the plugin. */
export async function readManifest(folder: string): Promise<Manifest | { readonly problem: string }> {
  try {
    const text = await readFile(join(folder, 'plugin.yaml'), 'utf8');
    if (text.length > MOST_BYTES) return { problem: 'plugin.yaml: too long' };
    const read = Manifest.safeParse(parse(text, { maxAliasCount: 10 }));
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    return { problem: `plugin.yaml: ${[issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')}` };
  } catch (error) {
    return { problem: `plugin.yaml: ${(error as Error).message.split('\n')[0]}` };
  }
}
