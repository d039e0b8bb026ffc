import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openCommands } from '#adapters/sandboxes';
import { openWebClient } from '#adapters/net';
import { localFiles, worldTools } from '#adapters/tools';
import type { Sandbox, ToolContext } from '#spec/ports';
import { toolContext } from '#testkit/tool-context';
import { MACHINE_TOPICS, type MachineTopic, type Slots } from './machine-readings.ts';

const SLOTS: Slots = {
  unit: 'no-such-daemon',
  port: 65_000,
  pid: process.pid,
  path: '/proc/version',
  host: 'localhost',
  url: 'http://127.0.0.1:9/',
};
const tools = new Map((await worldTools()).map((tool) => [tool.name, tool]));
const commands = openCommands({
  // Nothing but readings is asked for, and they are taken outside of it.
  sandboxes: async () => ({ workspace: '/' }) as Sandbox,
  location: async () => ({ reads: 'outside', where: 'in a box' }),
  readsMachine: true,
  timeoutMs: () => 30_000,
  maxOutputBytes: 8 * 1024 * 1024,
  backgroundChars: 1,
  maxBackground: 0,
});
const context: ToolContext = toolContext({
  commands,
  web: openWebClient(),
  files: localFiles({ root: '/proc', protectedPaths: [] }),
  callTool: (name, input) => run(name, input),
});

function run(name: string, input: unknown) {
  const tool = tools.get(name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool.run(tool.input.parse(input), context);
}

async function taken(topic: MachineTopic, slots: Slots) {
  const results: { text: string; failed: boolean }[] = [];
  for (const { name, input } of topic.calls(slots)) {
    const { content, isError = false } = await run(name, input);
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    results.push({ text, failed: isError });
  }
  return results;
}

const topics = Object.entries(MACHINE_TOPICS);
const slotsFor = (id: string): Slots =>
  /^(?:disk-space|inodes|largest-folders|large-files)$/.test(id) ? { ...SLOTS, path: '/etc' } : SLOTS;

describe('a topic of the machine', () => {
  it.each(topics)('%s answers with a sentence in both languages', async (id, topic) => {
    const slots = slotsFor(id);
    const results = await taken(topic, slots);
    const [en, zh] = [topic.show(results, slots, 'en'), topic.show(results, slots, 'zh')];
    expect(en.split('\n', 1)[0]).toMatch(/[.:]$|\.\)?$/);
    expect(zh.split('\n', 1)[0]).toMatch(/[一-鿿]/);
    expect(en).not.toMatch(/undefined|NaN|\[object/);
    expect(en.split('\n').length).toBeLessThan(30);
  });

  const MEASURED =
    'memory load uptime os time limits open-files mounts disk-space inodes top-cpu top-memory process zombies connections dns-config interfaces users log-file resolve';
  it.each(MEASURED.split(' '))('%s is measured on every Linux', async (id) => {
    const topic = MACHINE_TOPICS[id] as MachineTopic;
    const told = topic.show(await taken(topic, slotsFor(id)), slotsFor(id), 'en');
    expect(told).not.toMatch(/^[^\n]*: not measured/);
    if (!/^(?:resolve|log-file)$/.test(id)) expect(told).toMatch(/\nTaken on this machine/);
  });

  it.each(topics)('%s concludes nothing from nothing', (_, topic) => {
    const calls = topic.calls(SLOTS);
    const empty = calls.map(() => ({ text: '', failed: false }));
    const garbled = calls.map(() => ({ text: '\u0000garbled ]] {{ 7 %%\n???', failed: false }));
    const failed = calls.map(() => ({
      text: 'machine_report failed.\nboom: Permission denied',
      failed: true,
    }));
    const first = (results: typeof empty) => topic.show(results, SLOTS, 'en').split('\n', 1)[0] ?? '';
    expect(first(garbled)).toContain('not measured');
    expect(first(failed)).toContain('not measured');
    expect(first([])).toContain('not measured');
    // find, lsof, systemctl and journalctl print nothing where there is nothing, and have ended well.
    if (!/saw no|lists no|holds no|Nothing listens/.test(first(empty)))
      expect(first(empty)).toContain('not measured');
    expect(topic.show(failed, SLOTS, 'zh')).toContain('未能测量');
  });

  it.each(topics)(
    '%s shows an example that fills what it needs, and phrasings of its own',
    (id, { needs = [], example, title }) => {
      expect(title.en && title.zh && example.en && example.zh).toBeTruthy();
      for (const slot of needs) expect(Object.keys(SLOTS)).toContain(slot);
      expect(phrasings(id)?.english).toBeGreaterThanOrEqual(14);
      expect(phrasings(id)?.chinese).toBeGreaterThanOrEqual(14);
    },
  );

  it('has every phrasing under an id that exists', () => {
    const ids = [...PHRASES.matchAll(/^# reading (\S+)$/gm)].map(([, id]) => id);
    expect(new Set(ids)).toEqual(new Set(topics.map(([id]) => id)));
  });
});

const PHRASES = readFileSync(new URL('../../../phrases/readings.txt', import.meta.url), 'utf8');

function phrasings(id: string) {
  const block = PHRASES.split(/^# reading /m).find((text) => text.startsWith(`${id}\n`));
  const lines = block?.trim().split('\n').slice(1).filter(Boolean) ?? [];
  const chinese = lines.filter((line) => /[㐀-鿿]/.test(line)).length;
  return { chinese, english: lines.length - chinese };
}
