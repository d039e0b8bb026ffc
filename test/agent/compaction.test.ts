import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '#testkit/model-server';
import { ended, makeWorkplace, turn } from './workplace.ts';

const IDS = ['inc_mg1x2k3l8c1v0a9z4q7w', 'ev_metric_1', 'act_0123456789abcdef', 'apr_cf07fe52023b'];
const FINDINGS = [
  `${IDS[0]} payment-service answers 503`,
  'ev_metric_1: error rate 14 %',
  `${IDS[2]} rollback payment-service`,
  `approval ${IDS[3]} requested for it`,
].join('\n');

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({
    script: {
      models: [{ id: 'gpt-4o' }, { id: 'small' }],
      rules: [
        // A summary that names nothing of what counts.
        { when: { model: 'small' }, reply: { text: 'Active task: payment-service fails.' } },
        { when: { afterTool: 'read_file' }, reply: { text: 'Read.' } },
        {
          when: { contains: 'investigate' },
          reply: { toolCalls: [{ name: 'read_file', arguments: { path: 'findings.txt' } }] },
        },
      ],
      fallback: { text: 'Yes.' },
    },
  });
});
beforeEach(() => server.reset());
afterAll(() => server.close());

it('is written by the auxiliary model at the threshold that is set, and keeps ids whatever that model says', async () => {
  const place = await makeWorkplace(server, 'chat_completions');
  await appendFile(
    join(place.home, 'config.yaml'),
    'compression:\n  threshold: 3000\n  keep_last: 4\n  model: scripted/small\n',
  );
  await writeFile(join(place.cwd, 'findings.txt'), `${FINDINGS}\n`);
  const host = await place.open();
  const conversation = await place.talk(host);
  await turn(conversation, 'hello');
  await turn(conversation, 'investigate payment-service');
  let compacted = 0;
  for (let i = 0; i < 20; i++) {
    const events = await turn(conversation, `note ${i}: ${'something else entirely '.repeat(90)}`);
    expect(ended(events)).toBe('done');
    compacted += events.filter(({ type }) => type === 'context.compacted').length;
  }
  expect(compacted).toBeGreaterThan(2);
  const summaries = server.requests.filter(({ body }) => body.model === 'small');
  expect(summaries.length).toBeGreaterThanOrEqual(compacted);
  const sent = JSON.stringify(server.requests.at(-1)?.body);
  expect(sent).toContain('Active task: payment-service fails.');
  for (const id of IDS) expect(sent).toContain(id);
  expect(sent).toContain('rollback payment-service');
  expect(sent.match(/Records that were named before/g)).toHaveLength(1);
  await host.close();
  await place.remove();
}, 60_000);
