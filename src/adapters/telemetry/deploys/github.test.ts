import { describe, expect, it } from 'vitest';
import { describeChangesSource } from '#testkit/changes-contract';
import { startGithubDeployments } from '#testkit/github-deployments';
import { telemetry } from './github.ts';

const TOKEN = 'gh-token-0a1b2c3d4e5f';
const FIRST = Date.parse('2026-05-01T10:00:00Z');
const SECOND = FIRST + 600_000;
const iso = (ms: number): string => new Date(ms).toISOString();
const sha = (letter: string): string => letter.repeat(40);
const REPOSITORY = 'shop/payment';

async function start() {
  const server = await startGithubDeployments(TOKEN);
  const deploy = (
    repository: string,
    letter: string,
    at: number,
    states: readonly string[],
    environment?: string,
  ) => {
    const more = environment === undefined ? {} : { environment };
    const id = server.deploy(repository, { sha: sha(letter), at: iso(at - 30_000), ...more });
    states.forEach((state, index) =>
      server.status(repository, id, state, iso(at + index * 1_000 - (states.length - 1) * 1_000)),
    );
    return id;
  };
  deploy(REPOSITORY, 'a', FIRST - 86_400_000, ['success']);
  deploy(REPOSITORY, 'b', FIRST, ['queued', 'in_progress', 'success']);
  deploy(REPOSITORY, 'd', FIRST + 300_000, ['in_progress', 'failure']);
  deploy(REPOSITORY, 'e', FIRST + 300_000, ['success'], 'staging');
  deploy(REPOSITORY, 'c', SECOND, ['success']);
  deploy('shop/order', 'f', FIRST + 60_000, []);
  const place = {
    key: (name: string) => (name === 'GITHUB_TOKEN' ? TOKEN : undefined),
    folder: '',
    now: Date.now,
  };
  const open = (repositories: object[]) =>
    telemetry.open(
      telemetry.settings.parse({ base_url: server.url, repositories, timeout_seconds: 0.3 }),
      place,
    );
  return { server, open };
}

const production = { environments: ['production'] };
const watched = [
  { repository: REPOSITORY, service: 'payment-service', ...production },
  { repository: 'shop/order', ...production },
];

describeChangesSource('GitHub', true, async () => {
  const { server, open } = await start();
  return {
    open: () => open(watched),
    service: 'payment-service',
    times: [FIRST, SECOND],
    others: 1,
    fail: (fault) => server.fail(fault),
    secret: TOKEN,
    close: () => server.close(),
  };
});

describe('changes of GitHub', () => {
  const scope = { window: { start: iso(FIRST - 1_000), end: iso(SECOND) }, limit: 9 };
  const signal = new AbortController().signal;

  it('tells the commits and the lines that a deployment brought, without credentials in them', async () => {
    const { server, open } = await start();
    const { items } = (await (await open(watched)).changes?.changes(scope, signal)) ?? {};
    const first = items?.find(({ details }) => details?.['commit'] === sha('b'));
    expect(first).toMatchObject({
      service: 'payment-service',
      time: iso(FIRST),
      details: {
        from: 'aaaaaaaa',
        to: 'bbbbbbbb',
        by: 'mona',
        files: ['src/pool.ts'],
        commits: [{ title: 'Shrink the pool' }],
      },
    });
    expect(first?.details?.['diff']).toContain('+const POOL = 2;');
    expect(JSON.stringify(items)).not.toContain('sk-abcdef');
    expect(items?.find(({ service }) => service === 'order')?.details).not.toHaveProperty('from');
    await server.close();
  });

  it('leaves out what failed and other environments', async () => {
    const { server, open } = await start();
    const { items } = (await (await open(watched)).changes?.changes(scope, signal)) ?? {};
    const commits = items?.map(({ details }) => details?.['commit']);
    expect(commits).not.toContain(sha('d'));
    expect(commits).not.toContain(sha('e'));
    await server.close();
  });

  it('gives what one repository has when another is not there', async () => {
    const { server, open } = await start();
    const sources = await open([...watched, { repository: 'shop/gone' }]);
    const { items, asked } = (await sources.changes?.changes(scope, signal)) ?? {};
    expect(items).toHaveLength(3);
    expect(asked?.at(-1)?.problem?.en).toContain('404');
    await server.close();
  });
});
