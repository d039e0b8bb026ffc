import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHost } from '#host';
import { estimateTokens } from '#kit/estimate-tokens';
import { startModelServer } from '#testkit/model-server';
import { defineBench } from '../bench.ts';

/** Tokens, counted on the high side, that every request starts with in a fresh installation: the system prompt and the tools' schemas. */
export const bench = defineBench({
  summary: 'tokens of the system prompt and the tool schemas, default set-up',
  goals: { tokens: { most: 5000 } },
  run: async ({ say }) => {
    const root = mkdtempSync(join(tmpdir(), 'hermes-prefix-'));
    const cwd = join(root, 'project');
    mkdirSync(cwd);
    // A model with an ordinary window, so that nothing is shortened.
    const server = await startModelServer();
    const env = {
      HERMES_HOME: join(root, 'home'),
      HERMES_PROVIDER: 'openai',
      HERMES_MODEL: 'gpt-5',
      HERMES_API_KEY: 'k',
      HERMES_BASE_URL: `${server.url}/v1`,
    };
    try {
      const host = await openHost({ env, version: 'bench' });
      const conversation = await host.conversation({ cwd, language: 'en', platform: 'cli' });
      conversation.onAsk(async () => undefined);
      await conversation.send([{ type: 'text', text: 'hello' }], new AbortController().signal).result();
      const stored = await (await host.database()).sessions.get(conversation.session.id);
      await host.close();
      const system = estimateTokens(stored?.prefix.system.map(({ text }) => text).join('\n\n') ?? '');
      const tools = (stored?.prefix.tools ?? []).map((tool) => ({
        name: tool.name,
        tokens: estimateTokens(JSON.stringify(tool)),
      }));
      say(`system prompt ${system}`);
      for (const { name, tokens } of tools) say(`${name.padEnd(16)} ${tokens}`);
      return {
        tokens: system + tools.reduce((sum, { tokens }) => sum + tokens, 0),
        system_tokens: system,
        tools: tools.length,
      };
    } finally {
      await server.close();
      rmSync(root, { recursive: true, force: true });
    }
  },
});
