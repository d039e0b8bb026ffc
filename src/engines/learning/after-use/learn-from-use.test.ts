import { describe, expect, it } from 'vitest';
import type { Message } from '#spec/data';
import { experience, scriptedLibrary, step } from '#support/engines/learning/scripted-library';
import { openLearning } from '../open-learning.ts';

const path = (host: string) => [
  step('host_cordon', { host }),
  step('host_evict', { host }),
  step('host_reboot', { host }),
];

async function taught() {
  const library = scriptedLibrary();
  const learning = openLearning(library);
  for (const host of ['node-1', 'node-2', 'node-3'])
    await learning.record(experience(`patch the kernel of ${host}`, path(host), { calls: 15 }));
  const name = library.edits[0]?.skill ?? '';
  const use = (version: string, more = {}) =>
    experience('patch the kernel of node-9', path('node-9'), { skill: { name, version }, calls: 5, ...more });
  return { library, learning, name, use, file: `learned/${name}/SKILL.md` };
}

describe('learnFromUse', () => {
  it('takes a version back that does worse than the one before, and does not try it again', async () => {
    const { library, learning, name, use, file } = await taught();
    for (let at = 0; at < 4; at++) await learning.record(use('1.0.0'));
    const first = library.texts.get(file) ?? '';
    const changes = [{ path: file, text: first.replace('host_evict', 'host_kill') }];
    await library.pen.apply({
      action: 'improved',
      skill: name,
      changes,
      why: 'a bad idea',
      by: 'reflection',
    });
    const failing = {
      success: false,
      path: [step('host_cordon', { host: 'node-9' }), step('!host_kill', { host: 'node-9' })],
    };
    const events = [];
    for (let at = 0; at < 3; at++) events.push(...(await learning.record(use('1.1.0', failing))));
    expect(events.map(({ kind }) => kind)).toContain('rolled_back');
    expect(library.texts.get(file)).toContain('host_evict');
  });

  it('counts a use that cost as much as doing without as no help', async () => {
    const { library, learning, use } = await taught();
    await learning.record(use('1.0.0', { calls: 15 }));
    await learning.record(use('1.0.0', { calls: 6 }));
    expect(library.uses.map(({ success }) => success)).toEqual([true, false]);
  });

  it('believes a correction in the next message', async () => {
    const { library, learning, name } = await taught();
    const origin = { provider: 'p', model: 'm', protocol: 'local' as const };
    const call = (id: string, tool: string, input: unknown): Message[] => [
      {
        role: 'assistant',
        origin,
        content: [{ type: 'tool_call', id, name: tool, arguments: JSON.stringify(input) }],
      },
      { role: 'tool', callId: id, name: tool, content: [{ type: 'text', text: 'ok' }], isError: false },
    ];
    const turn = (number: number, said: string, calls: readonly Message[]) => ({
      session: 's',
      turn: number,
      scope: 'person/cli/u',
      status: 'done' as const,
      messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: said }] }, ...calls],
      calls: 4,
      tokens: 10,
      startedAt: number,
      endedAt: number,
    });
    const done = [
      ...call('a', 'skill_view', { name }),
      ...path('node-9').flatMap(({ tool, input }, at) => call(`b${at}`, tool, input)),
    ];
    await learning.learnFrom(turn(1, 'patch the kernel of node-9', done));
    expect(library.uses[0]).toMatchObject({ success: true, followed: true });
    await learning.learnFrom(turn(2, 'no, that was the wrong machine', []));
    expect(library.uses).toHaveLength(1);
    expect(library.uses[0]).toMatchObject({ success: false });
    expect([...library.known.values()].at(-1)?.success).toBe(false);
  });
});

describe('a skill that a user wrote', () => {
  /** Somebody's own skill, with what they say about changing it, and a use of it in which a step fails. */
  async function written(improvement?: { readonly minSamples: number; readonly confirm: boolean }) {
    const { library, name, use, file } = await taught();
    library.trust.set(name, 'user');
    const wished: boolean[] = [];
    const learning = openLearning({
      ...library,
      shelf: {
        ...library.shelf,
        all: async () =>
          (await library.shelf.all()).map((skill) => ({ ...skill, ...(improvement ? { improvement } : {}) })),
      },
      pen: {
        ...library.pen,
        apply: (change) => {
          wished.push(change.confirm === true);
          return library.pen.apply(change);
        },
      },
    });
    const text = () => library.texts.get(file);
    const before = text();
    const host = 'node-9';
    const trouble = [
      step('host_cordon', { host }),
      step('!host_evict', { host }),
      step('host_drain', { host }),
      step('host_reboot', { host }),
    ];
    const again = (version: string) => learning.record(use(version, { path: trouble }));
    return { again, text, before, wished };
  }

  it('is never touched unless they let it be', async () => {
    const { again, text, before, wished } = await written();
    for (let at = 0; at < 4; at++) await again('1.0.0');
    expect(text()).toBe(before);
    expect(wished).toEqual([]);
  });

  it('is changed after as many uses as they want', async () => {
    const { again, text, before, wished } = await written({ minSamples: 3, confirm: false });
    await again('1.0.0');
    await again('1.0.0');
    expect(text()).toBe(before);
    await again('1.0.0');
    expect(text()).toContain('host_drain');
    expect(wished).toEqual([false]);
  });

  it('has them asked where they want that', async () => {
    const { again, wished } = await written({ minSamples: 1, confirm: true });
    await again('1.0.0');
    expect(wished).toEqual([true]);
  });
});
