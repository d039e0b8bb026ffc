import { describe, expect, it } from 'vitest';
import {
  asks,
  call,
  contextFor,
  echo,
  results,
  says,
  scriptedTurn,
  textOf,
} from '#support/engines/agent/scripted-turn';
import { deferredTools } from './deferred-tools.ts';
import { toolSet } from './tool-set.ts';

const mail = echo('send_mail', {
  deferred: true,
  toolset: 'messaging',
  description: 'Sends a letter to somebody.',
});
const list = echo('mail_list', {
  deferred: true,
  toolset: 'messaging',
  description: 'Lists what send_mail sent.',
});
const all = [echo(), mail, list, ...deferredTools([echo(), mail, list])];

async function search(query: string): Promise<string> {
  const tool = toolSet(all).find('tool_search');
  const result = await tool?.run({ query }, contextFor(call('tool_search')));
  return textOf(result && { role: 'user', content: [...result.content] });
}

describe('deferred tools', () => {
  it('add nothing when none is deferred', () => {
    expect(deferredTools([echo()])).toEqual([]);
  });

  it('stay out of the prefix, except for their toolsets', () => {
    const { specs, names } = toolSet(all);
    expect(specs.map(({ name }) => name)).toEqual(['read_file', 'tool_search', 'tool_call']);
    expect(JSON.stringify(specs)).toContain('messaging');
    expect(JSON.stringify(specs)).not.toContain('send_mail');
    expect(names).toContain('send_mail');
  });

  it('are found by what they do, with their arguments', async () => {
    const found = await search('post some LETTER');
    expect(JSON.parse(found)).toMatchObject({ name: 'send_mail', input: { properties: { path: {} } } });
    expect(await search('rocket')).toBe('No tool matches.');
    expect(await search('')).toBe('No tool matches.');
  });

  it('are found first by their own name', async () => {
    expect(
      (await search('mail_list')).split('\n').map((line) => (JSON.parse(line) as { name: string }).name),
    ).toEqual(['mail_list', 'send_mail']);
    expect(await search('send_mail')).toMatch(/^\{"name":"send_mail"/);
  });

  it('are judged and run as themselves', async () => {
    const judged: string[] = [];
    const asked = [
      call('tool_call', { name: 'send_mail', arguments: { path: 'x' } }),
      call('tool_call', { name: 'send_mail', arguments: { path: 1 } }),
      call('tool_call', { name: 'launch_rocket', arguments: {} }),
      call('tool_call', '{"name":'),
      call('tool_call', { name: 7 }),
    ];
    const turn = scriptedTurn([asks(...asked), says('done')], {
      tools: all,
      permit: async (tool) => {
        judged.push(tool.name);
        return { allowed: true };
      },
    });
    await turn.run();
    const [good, wrong, unknown, garbled, nameless] = asked.map(({ id }) =>
      turn.messages.find((message) => message.role === 'tool' && message.callId === id),
    );
    expect(judged).toEqual(['send_mail']);
    expect(textOf(good)).toBe('send_mail:x');
    expect(textOf(wrong)).toMatch(/arguments of send_mail are wrong/);
    expect(textOf(unknown)).toMatch(/no tool called 'launch_rocket'/);
    expect(textOf(garbled)).toMatch(/not valid JSON/);
    expect(textOf(nameless)).toMatch(/arguments of tool_call are wrong/);
    expect(results(turn.messages)).toHaveLength(5);
  });
});
