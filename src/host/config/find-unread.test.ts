import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHost } from '../open-host.ts';
import { formatProblem } from '#config';
import { findUnread, writtenJobs } from './find-unread.ts';

async function unreadIn(files: Record<string, string>, env: Record<string, string> = {}) {
  const root = await mkdtemp(join(tmpdir(), 'unread-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(root, name, '..'), { recursive: true });
    await writeFile(join(root, name), text);
  }
  const host = await openHost({ env: { HERMES_HOME: root, ...env }, version: 'test' });
  onTestFinished(() => host.close());
  const lines = (await findUnread(host)).map((one) => formatProblem(one).replaceAll(`${root}/`, ''));
  return { host, lines };
}

describe('findUnread', () => {
  it('finds nothing in a home that says nothing', async () => {
    expect((await unreadIn({})).lines).toEqual([]);
  });

  it('says with its place what nothing reads yet', async () => {
    const { host, lines } = await unreadIn({
      'gateway.yaml': 'webhooks: {}\n\ngateway:\n  telegram:\n    enabled: true\n',
      'cron.yaml': '# mine\ncron:\n  - name: a\n    schedule: "0 9 * * 1-5"\n  - name: b\n',
      '.env': 'A=1\nRUNBOOK_RAG_ENABLED=true\nexport RUNBOOK_STORE_BACKEND=postgres\n',
      'skills/watch.yaml':
        'skill:\n  name: watch\n  trigger:\n    keywords: [watch]\n    cron: "*/5 * * * *"\n  execution:\n    steps:\n      - command: "true"\n',
    });
    expect(lines).toEqual([
      'gateway.yaml:3:1: gateway: is not read yet: it has no effect',
      'cron.yaml:2:1: cron: is not read yet: it has no effect',
      'skills/watch.yaml:5:5: skill.trigger.cron: is not read yet: it has no effect',
      '.env:2:1: RUNBOOK_RAG_ENABLED: is not read yet: it has no effect',
      '.env:3:1: RUNBOOK_STORE_BACKEND: is not read yet: it has no effect',
    ]);
    expect(await writtenJobs(host)).toBe(2);
  });

  it('tells a variable that does not exist from one that does, and what may be meant', async () => {
    const { lines } = await unreadIn(
      {},
      { RUNBOOK_MODEL_NAM: 'x', RUNBOOK_STORE_BACKEND: 'sqlite', RUNBOOK_MODEL_ENABLED: 'false' },
    );
    expect(lines).toEqual([
      'environment: RUNBOOK_MODEL_NAM: is no variable of Hermes: it has no effect; did you mean RUNBOOK_MODEL_NAME?',
    ]);
  });

  it('does not let a file that is no YAML pass', async () => {
    const { lines } = await unreadIn({ 'cron.yaml': 'cron: [\n' });
    expect(lines.join()).toMatch(/^cron\.yaml: /);
  });
});
