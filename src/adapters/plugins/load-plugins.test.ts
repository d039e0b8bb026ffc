import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HookTrouble } from './hooks.ts';
import { type LoadedPlugins, loadPlugins } from './load-plugins.ts';

let folder: string;
let troubles: HookTrouble[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hermes-plugins-'));
  troubles = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const plant = (name: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    const whole = join(folder, name, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text);
  }
};

const manifest = (name: string, more = ''): string =>
  `name: ${name}\nversion: 1.2.0\ndescription: ours\n${more}`;
const load = (allowed: readonly string[], loadTimeoutMs = 5_000): Promise<LoadedPlugins> =>
  loadPlugins({
    folder,
    allowed,
    language: 'en',
    taken: { tools: ['terminal'], providers: ['openai'], sandboxes: ['local'], commands: ['help'] },
    path: process.env.PATH ?? '',
    report: (trouble) => troubles.push(trouble),
    loadTimeoutMs,
  });

const states = ({ plugins }: LoadedPlugins) => plugins.map(({ name, state }) => `${name} ${state}`);
const problem = ({ plugins }: LoadedPlugins): string => plugins[0]?.problem ?? '';

const WHOLE = {
  'plugin.yaml': manifest(
    'deploys',
    `main: index.ts
provides: { tools: [list_deploys], providers: [house], sandboxes: [vm], commands: [deploys], skills: skills }
hooks:
  - { event: tool.before, export: beforeTool, timeout: 2 }
`,
  ),
  'index.ts': `
    import type { PluginApi } from 'hermes/plugin';
    import { WHO } from './who.ts';
    export const beforeTool = ({ payload }: { payload: { tool: string } }) =>
      payload.tool === 'rm' ? { veto: 'not ' + WHO } : undefined;
    export default ({ z, defineTool, defineProvider, defineSandbox, defineCommand }: PluginApi) => ({
      tools: [defineTool({
        name: 'list_deploys', toolset: 'file', description: 'Lists deploys.',
        input: z.strictObject({ service: z.string().optional() }),
        effect: ({ service }) => { if (service === 'odd') throw new Error('?'); return service === 'wild' ? 9 : 0; },
        run: async () => ({ content: [{ type: 'text', text: 'none' }], summary: 'none' }),
      })],
      providers: [defineProvider({ id: 'house', label: 'House', endpoints: {}, auth: 'none', keys: [] })],
      sandboxes: [defineSandbox({ type: 'vm', options: z.strictObject({}), available: async () => undefined, open: async () => { throw new Error('no'); } })],
      commands: [defineCommand({ name: 'deploys', summary: 'deploys', run: async (args) => ({ text: 'deploys of ' + args }) })],
    });
  `,
  'who.ts': `export const WHO: string = 'here';`,
  'skills/one/SKILL.md': '# one',
};

describe('loadPlugins', () => {
  it('finds nothing where there is no folder', async () => {
    rmSync(folder, { recursive: true });
    const loaded = await load([]);
    expect([loaded.plugins, loaded.tools]).toEqual([[], []]);
    mkdirSync(folder);
  });

  it('leaves a plugin off, and runs nothing of it, until it is allowed', async () => {
    const mark = join(folder, 'ran');
    plant('deploys', {
      ...WHOLE,
      'index.ts': `import { writeFileSync } from 'node:fs'; writeFileSync('${mark}', '')`,
    });
    const loaded = await load(['other', 'deploys-too']);
    expect(states(loaded)).toEqual(['deploys off']);
    expect(loaded.plugins[0]).toMatchObject({ version: '1.2.0', description: 'ours' });
    expect(loaded.plugins[0]?.provides).toContain('tool list_deploys');
    expect(problem(loaded)).toContain(`"${loaded.plugins[0]?.allowance}"`);
    expect(existsSync(mark)).toBe(false);
  });

  it('takes everything that an allowed plugin brings', async () => {
    plant('deploys', WHOLE);
    const [seen] = (await load([])).plugins;
    const loaded = await load([seen?.allowance ?? '']);
    expect(loaded.plugins.map(({ state, problem: why }) => [state, why])).toEqual([['on', undefined]]);
    expect(loaded.tools.map(({ name, toolset }) => [name, toolset])).toEqual([
      ['list_deploys', 'plugin-deploys'],
    ]);
    expect(loaded.providers.map(({ id }) => id)).toEqual(['house']);
    expect(loaded.sandboxes.map(({ type }) => type)).toEqual(['vm']);
    expect(loaded.skills).toEqual([join(folder, 'deploys', 'skills')]);
    const context = { session: 's1', signal: new AbortController().signal };
    expect(await loaded.commands[0]?.run('api', context)).toEqual({ text: 'deploys of api' });
    const payload = { session: 's1', call: 'c1', tool: 'rm', input: {} };
    const outcome = await loaded.runHooks('tool.before', payload, context.signal);
    expect(outcome.veto).toEqual({ plugin: 'deploys', reason: 'not here' });
    expect(loaded.tools[0]?.effect({})).toBe(0);
    expect(loaded.tools[0]?.effect({ service: 'wild' })).toBe(3);
    expect(loaded.tools[0]?.effect({ service: 'odd' })).toBe(3);
  });

  it('turns a plugin off when any of its files has changed', async () => {
    plant('deploys', WHOLE);
    const [seen] = (await load([])).plugins;
    const allowed = [seen?.allowance ?? ''];
    const changes: (() => void)[] = [
      () => plant('deploys', { 'who.ts': `export const WHO = 'there';` }),
      () => plant('deploys', { 'extra.ts': '' }),
      () => chmodSync(join(folder, 'deploys', 'who.ts'), 0o755),
    ];
    for (const change of changes) {
      expect(states(await load(allowed))).toEqual(['deploys on']);
      change();
      const loaded = await load(allowed);
      expect(states(loaded)).toEqual(['deploys off']);
      expect(problem(loaded)).toContain('have changed');
      rmSync(join(folder, 'deploys'), { recursive: true });
      plant('deploys', WHOLE);
    }
    expect(states(await load(['deploys']))).toEqual(['deploys on']);
    expect(states(await load(['deploys@', `deploys@${seen?.allowance?.slice(8, 12)}`]))).toEqual([
      'deploys off',
    ]);
  });

  const CODE: readonly (readonly [string, string, RegExp])[] = [
    ['cannot be parsed', 'export default (', /./],
    ['throws when it is imported', `throw new Error('no licence')`, /no licence/],
    ['throws when it is called', `export default () => { throw new Error('no token') }`, /no token/],
    ['ends the process', `process.exit(3)`, /code 3/],
    [
      'never comes to an end',
      `export default () => new Promise(() => setInterval(() => 0, 1000))`,
      /within 1\.5 s/,
    ],
    ['loops for ever', `export default () => { for (;;); }`, /within 1\.5 s/],
    ['imports what is not there', `import 'left-pad-2'; export default () => ({})`, /left-pad-2/],
    ['has no default export', `export const x = 1`, /default export/],
    ['gives nothing back', `export default () => 3`, /gave nothing/],
    ['brings something unknown', `export default () => ({ gates: [] })`, /'gates'/],
    ['brings what it does not name', tool('stray'), /'stray' is not named/],
    ['brings no list', `export default () => ({ tools: {} })`, /not a list/],
    ['names what it does not bring', `export default () => ({})`, /'mine' is named/],
    ['takes the name of a built-in tool', tool('terminal'), /'terminal' is taken/],
    ['has a name with a look-alike', tool('terminаl'), /cannot be a name/],
    ['brings a tool without a schema', tool('mine').replace('z.object({})', '{}'), /made with api\.z/],
    ['brings a tool that cannot run', tool('mine').replace('run:', 'walk:'), /run: has to be a function/],
  ];

  it.each(CODE)('names and leaves out a plugin that %s', async (_, code, why) => {
    plant('bad', {
      'plugin.yaml': manifest('bad', 'main: index.js\nprovides: { tools: [mine, terminal] }'),
      'index.js': code,
    });
    plant('good', { 'plugin.yaml': manifest('good') });
    const loaded = await load(['bad', 'good'], 1_500);
    expect(states(loaded)).toEqual(['bad broken', 'good on']);
    expect(problem(loaded)).toMatch(why);
    expect(loaded.tools).toEqual([]);
  });

  it.each([
    ['is missing', undefined, /plugin\.yaml/],
    ['is no YAML', 'name: [', /plugin\.yaml/],
    ['has an unknown key', manifest('bad', 'trust: full'), /trust/],
    ['has another name', manifest('other'), /'other'/],
    ['points outside', manifest('bad', 'main: ../good/index.ts'), /main/],
    [
      'has a hook without anything to run',
      manifest('bad', 'hooks: [{ event: tool.before }]'),
      /command or export/,
    ],
    [
      'has an unknown event',
      manifest('bad', 'hooks: [{ event: tool.allow, command: x }]'),
      /hooks\.0\.event/,
    ],
    [
      'names an export that is not there',
      manifest('bad', 'hooks: [{ event: tool.before, export: x }]'),
      /'x'/,
    ],
    ['names skills that are not there', manifest('bad', 'provides: { skills: skills }'), /'skills'/],
  ])('names and leaves out a plugin whose manifest %s', async (_, text, why) => {
    plant('bad', text === undefined ? { 'x.ts': '' } : { 'plugin.yaml': text });
    plant('good', { 'plugin.yaml': manifest('good') });
    const loaded = await load(['bad', 'good']);
    expect(states(loaded)).toEqual(['bad broken', 'good on']);
    expect(problem(loaded)).toMatch(why);
  });

  it('leaves out what cannot be pinned', async () => {
    plant('bad', { 'plugin.yaml': manifest('bad') });
    symlinkSync(tmpdir(), join(folder, 'bad', 'elsewhere'));
    const loaded = await load(['bad']);
    expect(states(loaded)).toEqual(['bad broken']);
    expect(problem(loaded)).toContain('elsewhere is a link');
  });

  it('gives a name to the first plugin that brings it', async () => {
    for (const name of ['a', 'b']) {
      plant(name, {
        'plugin.yaml': manifest(name, 'main: i.js\nprovides: { tools: [mine] }'),
        'i.js': tool('mine'),
      });
    }
    const loaded = await load(['a', 'b']);
    expect(states(loaded)).toEqual(['a on', 'b broken']);
    expect(loaded.tools).toHaveLength(1);
  });
});

/** The main file of a plugin with one tool. */
function tool(name: string): string {
  return `export default ({ z, defineTool }) => ({ tools: [defineTool({ name: '${name}', toolset: 'x',
    description: 'x', input: z.object({}), effect: () => 0, run: async () => ({ content: [], summary: '' }) })] })`;
}
