import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAnchor, parseAnchor } from '#adapters/anchor';
import { sampleRequester } from '#testkit/gate';
import { openHost } from '../open-host.ts';
import { auditAnchor, verifyAudit } from './audit-anchor.ts';
import { homeAt } from '../home.ts';

let root: string;
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'hermes-anchor-'));
});
afterAll(() => rm(root, { recursive: true }));

const HEAD = { at: '2026-01-02T03:04:05.000Z', home: '/h', seq: 7, hash: 'a'.repeat(64) };

async function opened(anchor: (folder: string) => string) {
  const folder = join(root, String(count++));
  const home = homeAt(join(folder, 'home'), 'default');
  const file = anchor(folder);
  const { mkdir } = await import('node:fs/promises');
  await mkdir(home.root, { recursive: true });
  await writeFile(home.file('config.yaml'), `audit: {anchor: ${JSON.stringify(file)}, every: 2}\n`);
  const open = () => openHost({ env: { HERMES_HOME: home.root, HOME: folder }, version: 'test' });
  const work = async (lines: number) => {
    const host = await open();
    const { audit } = await host.gate();
    for (let n = 0; n < lines; n++) await audit.append('action.allowed', sampleRequester(), { n });
    await host.close();
  };
  const verify = async () => {
    const host = await open();
    const found = await verifyAudit(host, file);
    await host.close();
    return found;
  };
  return { home, file, work, verify };
}

describe('a file outside of the home', () => {
  it('knows every so many heads and the last, and that file and head were put back together', async () => {
    const { home, file, work, verify } = await opened((folder) => join(folder, 'outside', 'heads.jsonl'));
    await work(5);
    const told = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { seq: number }).seq);
    expect(told.at(-1)).toBe(5);
    expect(told.length).toBeGreaterThanOrEqual(2);
    expect(await verify()).toMatchObject({ sound: true, anchored: told.length });
    const raw = new Sqlite(home.file('ledger.db'));
    raw.exec('DROP TRIGGER audit_is_not_cut; DELETE FROM audit WHERE seq > 3');
    const hash = raw.prepare<[], string>('SELECT hash FROM audit WHERE seq = 3').pluck().get();
    raw.close();
    await writeFile(`${home.file('ledger.db')}.head`, JSON.stringify({ seq: 3, hash }));
    expect(await verify()).toMatchObject({
      sound: false,
      problem: expect.stringContaining('the anchor was told of') as string,
    });
  });

  it('knows that everything is gone', async () => {
    const { home, work, verify } = await opened((folder) => join(folder, 'heads.jsonl'));
    await work(3);
    for (const end of ['', '-wal', '-shm', '.head'])
      await rm(`${home.file('ledger.db')}${end}`, { force: true });
    expect(await verify()).toMatchObject({ sound: false });
  });

  it('must not be inside of it', async () => {
    const { work } = await opened((folder) => join(folder, 'home', 'heads.jsonl'));
    await expect(work(1)).rejects.toThrow('inside of the home');
  });
});

it('goes on working where the anchor does not answer, and says so once', async () => {
  const said: string[] = [];
  let fails = true;
  const told: number[] = [];
  const anchored = auditAnchor(
    {
      tell: async ({ seq }) => {
        if (fails) throw new Error('away');
        told.push(seq);
      },
    },
    homeAt(join(root, 'x'), 'default'),
    { entries: 1, ms: 60_000, now: Date.now, onTrouble: (message) => said.push(message) },
  );
  for (let seq = 1; seq <= 3; seq++) anchored.head({ seq, hash: 'h' });
  await anchored.close();
  fails = false;
  anchored.head({ seq: 4, hash: 'h' });
  await anchored.close();
  expect(said).toEqual(['audit.anchor: away']);
  expect(told).toEqual([4]);
});

describe('other anchors', () => {
  it('tells syslog over UDP', async () => {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const heard = once(socket, 'message');
    await openAnchor(parseAnchor(`syslog://127.0.0.1:${socket.address().port}`)).tell(HEAD);
    const [line] = (await heard) as [Buffer];
    expect(line.toString()).toMatch(
      /^<85>1 2026-01-02T03:04:05\.000Z \S+ hermes-audit \d+ - - head seq=7 hash=a{64} home="\/h"$/,
    );
    socket.close();
  });

  it('tells a receiver of OTLP logs, and rejects where it refuses', async () => {
    const bodies: string[] = [];
    const server = createServer((request, answer) => {
      request.on('data', (chunk: Buffer) => bodies.push(`${request.url} ${chunk.toString()}`));
      request.on('end', () => answer.writeHead(bodies.length > 1 ? 503 : 200).end('{}'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const anchor = openAnchor(parseAnchor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
    await anchor.tell(HEAD);
    expect(bodies[0]).toMatch(/^\/v1\/logs .*"intValue":"7"/);
    await expect(anchor.tell(HEAD)).rejects.toThrow('answered 503');
    server.close();
  });

  it.each(['heads.jsonl', 'ftp://x', 'syslog://'])('refuses %s', (text) => {
    expect(() => parseAnchor(text)).toThrow('audit.anchor');
  });
});
