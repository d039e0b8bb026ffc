import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHost } from '#host';
import { serveHome } from '#server';
import { makeIncidentHome } from '#testkit/incident-home';
import { startModelServer } from '#testkit/model-server';
import { startReceiver } from './receiver.ts';

const CALLER = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };
const SECRET = 'a word that nobody else may read';

/** A served home with a model that uses a tool before it answers. */
async function serving(env: Readonly<Record<string, string>>) {
  const model = await startModelServer({
    script: {
      rules: [
        { when: { afterTool: 'todo' }, reply: { text: `Done: ${SECRET}.` } },
        {
          when: { turn: 0 },
          reply: {
            toolCalls: [
              { name: 'todo', arguments: { todos: [{ id: '1', text: SECRET, state: 'pending' }] } },
            ],
          },
        },
      ],
      fallback: { text: 'Done.' },
    },
  });
  onTestFinished(() => model.close());
  const config = {
    llm: { provider: 'scripted', model: 'script-1', max_retries: 0 },
    providers: {
      scripted: { base_url: `${model.url}/v1`, api_mode: 'chat_completions', api_key: 'k-123456' },
    },
  };
  const home = await makeIncidentHome({
    config: { server: { port: 0 }, memory: { embedder: 'off' }, ...config },
    env,
  });
  onTestFinished(() => home.remove());
  await writeFile(join(home.folder, 'backends.yaml'), 'default: local\n');
  const host = await openHost({ env: home.env, version: '1.2.3' });
  onTestFinished(() => host.close());
  const served = await serveHome(host);
  onTestFinished(() => served.close());
  const ask = (traceparent: string) =>
    fetch(`${served.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${home.token}`, traceparent },
      body: JSON.stringify({ model: 'hermes', messages: [{ role: 'user', content: SECRET }] }),
    });
  return { ask, host };
}

describe('a turn over HTTP', () => {
  it('hangs on its request, that on its caller, and says nothing that was said', async () => {
    const receiver = await startReceiver();
    const { ask, host } = await serving(receiver.env);
    const answer = await ask(`00-${CALLER.trace}-${CALLER.span}-01`);
    expect(answer.status, await answer.clone().text()).toBe(200);
    await answer.text();
    const spans = await receiver.until('the request', (all) =>
      all.some(({ operation }) => operation === 'POST /v1/chat/completions'),
    );
    const find = (name: string) => spans.filter(({ operation }) => operation === name);
    const [request] = find('POST /v1/chat/completions');
    const [turn] = find('invoke_agent hermes');
    expect(request).toMatchObject({ traceId: CALLER.trace, parentId: CALLER.span });
    expect(request?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/chat/completions',
      'http.response.status_code': 200,
      'span.kind': 'server',
      'service.version': '1.2.3',
    });
    expect(turn).toMatchObject({ traceId: CALLER.trace, parentId: request?.spanId });
    expect(turn?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'hermes.platform': 'api',
      'hermes.calls': 2,
    });
    const calls = find('chat script-1');
    expect(calls).toHaveLength(2);
    for (const call of calls) {
      expect(call.parentId).toBe(turn?.spanId);
      expect(call.attributes).toMatchObject({
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'scripted',
        'gen_ai.request.model': 'script-1',
        'gen_ai.usage.output_tokens': expect.any(Number) as unknown,
      });
      expect(Number(call.attributes?.['gen_ai.usage.input_tokens'])).toBeGreaterThan(0);
    }
    expect(find('execute_tool todo')).toMatchObject([
      { parentId: turn?.spanId, attributes: { 'gen_ai.tool.name': 'todo' } },
    ]);
    expect(JSON.stringify(spans)).not.toContain('nobody else');

    // A caller that does not want to be traced is not; what comes after it is still seen.
    await (await ask(`00-${'1'.repeat(32)}-${CALLER.span}-00`)).text();
    await (await ask('00-nonsense')).text();
    await host.close();
    const later = await receiver.until('the third request', (all) => {
      const asked = all.filter(({ operation }) => operation === 'POST /v1/chat/completions');
      return asked.length === 2;
    });
    expect(later.some(({ traceId }) => traceId === '1'.repeat(32))).toBe(false);
  }, 40_000);
});

describe('without an endpoint', () => {
  it('nothing is traced', async () => {
    const { host } = await serving({});
    expect(await host.tracing()).toBeUndefined();
  });
});
