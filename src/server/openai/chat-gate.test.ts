import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Script, startModelServer } from '#testkit/model-server';
import { ask, ChatUnderTest, calling, user, WEATHER } from '#support/server/chat-under-test';

const chat = new ChatUnderTest(() => startModelServer({ script: { rules: [] } }));
const play = (rules: Script['rules']) => chat.model.script({ rules, fallback: { text: 'Done.' } });
beforeEach(async () => {
  await chat.open();
  play([]);
});
afterEach(() => chat.close());
afterAll(() => chat.stop());

describe('the gate', () => {
  it('denies what needs agreement, and lets the model say why', async () => {
    const path = join(chat.api.cwd, 'kept');
    await writeFile(path, 'x');
    play([
      {
        when: { contains: 'clean', turn: 0 },
        reply: calling('terminal', { command: `rm -rf ${chat.api.cwd}` }),
      },
      { when: { afterTool: 'terminal' }, reply: { text: 'I may not.' } },
    ]);
    const { choices, x_hermes } = await chat.complete(ask('clean up'));
    expect(existsSync(path)).toBe(true);
    expect(choices[0]?.message.content).toBe('I may not.');
    expect(JSON.stringify(chat.sentMessages().at(-1))).toMatch(/Not allowed: .*nobody can be asked here/);
    expect(x_hermes.progress.at(-1)).toMatchObject({ name: 'terminal', isError: true });
    const { audit } = await chat.api.host().gate();
    const [line] = await audit.last(1);
    expect(line).toMatchObject({ kind: 'action.denied', requester: { caller: 'api', user: 'token' } });
  });

  it('remembers from request to request that strangers had a word in a conversation', async () => {
    play([{ when: { contains: 'weather', turn: 0 }, reply: calling('get_weather', { city: 'Rome' }) }]);
    const said = [user('the weather?')];
    const first = await chat.complete({ model: 'hermes', messages: said, tools: [WEATHER] });
    const message = first.choices[0]?.message;
    const result = { role: 'tool', tool_call_id: message?.tool_calls?.[0]?.id, content: 'rain' };
    const taints = async () => {
      const { audit } = await chat.api.host().gate();
      return (await audit.last(20)).filter(({ kind }) => kind === 'session.tainted');
    };
    expect(await taints()).toMatchObject([{ data: { taint: 'untrusted' } }]);
    play([{ when: { afterTool: 'get_weather' }, reply: calling('get_weather', { city: 'Bonn' }) }]);
    await chat.complete({ model: 'hermes', messages: [...said, message, result], tools: [WEATHER] });
    // The same session: it is not tainted anew. Another conversation is.
    expect(await taints()).toHaveLength(1);
    play([{ when: { contains: 'weather', turn: 0 }, reply: calling('get_weather', { city: 'Rome' }) }]);
    await chat.complete({ model: 'hermes', messages: [user('weather, again')], tools: [WEATHER] });
    expect(await taints()).toHaveLength(2);
  });

  it('lets a token that only reads see the models and begin nothing', async () => {
    const refused = await chat.post(ask('hi'), { token: chat.api.readOnlyToken });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: { type: 'permission_error', param: null } });
    const unknown = await chat.post(ask('hi'), { token: 'wrong-token-wrong-token' });
    expect(unknown.status).toBe(401);
    expect(unknown.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await unknown.json()).toMatchObject({ error: { code: 'invalid_api_key' } });
    expect(chat.model.requests).toHaveLength(0);
    const response = await fetch(`${chat.api.url}/v1/models`, {
      headers: { authorization: `Bearer ${chat.api.readOnlyToken}` },
    });
    expect(await response.json()).toMatchObject({
      object: 'list',
      data: [
        { id: 'hermes', object: 'model', owned_by: 'hermes' },
        { id: 'hermes/scripted/script-1', x_hermes: { model: 'scripted/script-1' } },
      ],
    });
  });
});
