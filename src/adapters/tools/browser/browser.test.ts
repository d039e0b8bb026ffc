import { say } from '#kit/text';
import { createSocket } from 'node:dgram';
import { accessSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tool, ToolContext, ToolResult } from '#spec/ports';
import { openPages, type Pages } from '#testkit/pages';
import { toolContext } from '#testkit/tool-context';
import { tool as back } from './browser-back.ts';
import { tool as click } from './browser-click.ts';
import { tool as consoleTool } from './browser-console.ts';
import { tool as navigate } from './browser-navigate.ts';
import { tool as press } from './browser-press.ts';
import { tool as screenshot } from './browser-screenshot.ts';
import { tool as scroll } from './browser-scroll.ts';
import { tool as snapshot } from './browser-snapshot.ts';
import { tool as type } from './browser-type.ts';

const TOOLS = [back, click, consoleTool, navigate, press, screenshot, scroll, snapshot, type];
const program = (name: string) =>
  ['/usr/bin', '/usr/local/bin'].map((folder) => join(folder, name)).find(exists);
const noBrowser = navigate.missing?.({ key: () => undefined, program, sees: true });

let pages: Pages;
let held: Map<string, { close(): Promise<void> }>;
let kept: Map<string, Uint8Array>;
let context: ToolContext;

describe.skipIf(noBrowser !== undefined)(
  `the browser (skipped without Chromium: ${say(noBrowser?.what ?? 'it is here', 'en')})`,
  () => {
    beforeAll(async () => {
      pages = await openPages();
      held = new Map();
      kept = new Map();
      context = toolContext({
        program,
        sees: true,
        key: (name) => (name === 'HERMES_BROWSER_ALLOW' ? ` ${pages.host} ,other:1` : undefined),
        hold: async <T extends { close(): Promise<void> }>(name: string, open: () => Promise<T>) => {
          if (!held.has(name)) held.set(name, await open());
          return held.get(name) as unknown as T;
        },
        keep: async (name, bytes) => {
          kept.set(name, bytes);
          return `kept/${name}`;
        },
      });
    });
    afterAll(async () => {
      await held.get('browser')?.close();
      await pages.close();
    });
    beforeEach(async () => {
      await run(consoleTool, { clear: true });
    });

    const go = (path: string) => run(navigate, { url: pages.url + path });

    it('opens a page and shows it as a tree', async () => {
      const result = await go('/form');
      expect(result.isError).toBeUndefined();
      expect(result.summary).toBe('Form');
      expect(textOf(result)).toContain(`(host: ${pages.host})`);
      expect(textOf(result)).toMatch(/- textbox "Name" \[ref=e\d+\]: old/);
    }, 60_000);

    it('fills in a form and sends it', async () => {
      const form = textOf(await go('/form'));
      const host = pages.host;
      await run(type, { ref: refOf(form, 'textbox "Name"'), text: 'Ada & Bob', host });
      await run(type, { ref: refOf(form, 'combobox "Colour"'), text: 'blue', host });
      const sent = await run(click, { ref: refOf(form, 'button "Send"'), host });
      expect(textOf(sent)).toContain('name=Ada+&+Bob&colour=blue');
      expect(textOf(await run(back, {}))).toContain('heading "Order"');
      const again = textOf(await run(snapshot, {}));
      const submitted = await run(type, {
        ref: refOf(again, 'textbox "Name"'),
        text: 'Eve',
        host,
        submit: true,
      });
      expect(textOf(submitted)).toContain('name=Eve');
    });

    it('presses keys', async () => {
      const form = textOf(await go('/form'));
      await run(type, { ref: refOf(form, 'textbox "Name"'), text: 'by key', host: pages.host });
      expect(textOf(await run(press, { key: 'Enter', host: pages.host }))).toContain('name=by+key');
      expect(await run(press, { key: 'NoSuchKey', host: pages.host })).toMatchObject({ isError: true });
    });

    it('acts on nothing but the host that was named', async () => {
      const form = textOf(await go('/form'));
      const ref = refOf(form, 'button "Send"');
      for (const [tool, input] of [
        [click, { ref }],
        [type, { ref, text: 'x' }],
        [press, { key: 'Enter' }],
      ] as const) {
        const result = await run(tool, { ...input, host: 'bank.example' });
        expect(result).toMatchObject({ isError: true });
        expect(textOf(result)).toContain(`at host ${pages.host}, not bank.example`);
        expect(tool.effect({ ...input, host: 'bank.example' })).toBe(2);
        expect(tool.deed?.({ ...input, host: 'bank.example' })).toEqual({
          brings: ['untrusted'],
          sendsTo: ['bank.example'],
        });
      }
      expect(textOf(await run(snapshot, {}))).toContain('heading "Order"');
    });

    it('tells when an element is gone or covered', async () => {
      await go('/form');
      expect(textOf(await run(click, { ref: 'e9999', host: pages.host }))).toContain(
        'Take a new browser_snapshot',
      );
    });

    it('shows a long page in parts, and scrolls it', async () => {
      const first = textOf(await go('/long'));
      expect(first.length).toBeLessThan(13_000);
      const next = Number(/go on with browser_snapshot offset=(\d+)/.exec(first)?.[1]);
      const second = textOf(await run(snapshot, { offset: next }));
      const lastSeen = [...first.matchAll(/Paragraph (\d+) /g)].at(-1)?.[1];
      expect(/Paragraph (\d+) /.exec(second)?.[1]).toBe(String(Number(lastSeen) + 1));
      expect(await run(snapshot, { offset: 10_000_000 })).toMatchObject({ isError: true });
      expect((await run(scroll, {})).summary).toMatch(/^pixels 720–1520 of \d+$/);
      expect((await run(scroll, { to: 'top' })).summary).toMatch(/^pixels 0–800 /);
    });

    it('keeps what pages write to the console', async () => {
      await go('/console');
      await expect.poll(async () => textOf(await run(consoleTool, {}))).toContain('missing is not defined');
      const all = textOf(await run(consoleTool, {}));
      expect(all).toContain('log: hello');
      expect(all).toMatch(/error: it broke \(http:.*\/console:1\)/);
      expect(textOf(await run(consoleTool, { errors: true, clear: true }))).not.toContain('hello');
      expect(textOf(await run(consoleTool, {}))).toBe('The console is empty.');
    });

    it('makes a popup the current page, and closes them when there are too many', async () => {
      const opener = textOf(await go('/popup'));
      const popup = textOf(await run(click, { ref: refOf(opener, 'button "Open"'), host: pages.host }));
      expect(popup).toContain('a new tab opened and is now the current page');
      expect(popup).toContain('heading "Order"');
      const many = textOf(await go('/popups'));
      const after = textOf(await run(click, { ref: refOf(many, 'button "Open all"'), host: pages.host }));
      expect(after).toMatch(/too many are open|a new tab opened/);
      expect(textOf(await go('/'))).toContain('heading "Start"');
    });

    it('dismisses dialogs and tells what they said', async () => {
      const before = textOf(await go('/dialog'));
      const after = textOf(await run(click, { ref: refOf(before, 'button "Delete"'), host: pages.host }));
      expect(after).toContain('a dialog (confirm) said "Delete it all?"; it was dismissed');
      expect(after).toMatch(/^false\n/);
    });

    it('refuses downloads', async () => {
      const before = textOf(await go('/download'));
      await run(click, { ref: refOf(before, 'link "Get it"'), host: pages.host });
      await expect
        .poll(async () => notes.join('\n') + textOf(await run(snapshot, {})))
        .toContain('a download was refused: tool.sh');
    });

    it('sees into frames and shadow trees', async () => {
      const frames = textOf(await go('/iframe'));
      const pressed = await run(click, { ref: refOf(frames, 'button "Inner button"'), host: pages.host });
      expect(textOf(pressed)).toContain('inner was pressed');
      const shadow = textOf(await go('/shadow'));
      const shown = await run(click, { ref: refOf(shadow, 'button "Shadow button"'), host: pages.host });
      expect(textOf(shown)).toContain('shadow was pressed');
    });

    it('shows characters that hide, and says when a page is not there', async () => {
      expect(textOf(await go('/hidden-text'))).toContain('safe⟪U+202E⟫txt.exe');
      expect(await go('/missing')).toMatchObject({ isError: true, summary: 'HTTP 404: Nothing' });
    });

    it('takes a picture', async () => {
      await go('/');
      const { content } = await run(screenshot, {});
      expect(content[1]).toMatchObject({ type: 'image', mediaType: 'image/jpeg' });
      expect([...kept.values()][0]?.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    });

    describe('what is not public', () => {
      it.each([
        ['the address itself', () => pages.inner.url],
        ['another notation', () => pages.inner.url.replace('127.0.0.1', '0x7f.1')],
        ['a name', () => pages.inner.url.replace('127.0.0.1', 'localhost')],
        ['a redirect', () => `${pages.url}/inside`],
        ['two redirects', () => `${pages.url}/move?to=/inside`],
        ['a metadata service', () => 'http://169.254.169.254/latest/meta-data/'],
        ['IPv6', () => 'http://[::ffff:7f00:1]/'],
      ])('cannot be opened: %s', async (_, url) => {
        const result = await run(navigate, { url: url() });
        expect(result.isError).toBe(true);
        expect(textOf(result)).toMatch(/^Refused: .* leads to a (?:loopback address|cloud metadata service)/);
        expect(pages.inner.hits).toEqual([]);
      });

      it('cannot be opened with TLS', async () => {
        const result = await run(navigate, { url: pages.inner.url.replace('http:', 'https:') });
        expect(result.isError).toBe(true);
        expect(textOf(result)).toContain('a request was refused: 127.0.0.1:');
        expect(pages.inner.hits).toEqual([]);
      });

      it('cannot be reached from inside a page: images, frames, fetch, sockets', async () => {
        const first = textOf(await go('/reaches-inside'));
        await expect
          .poll(async () => textOf(await run(snapshot, {})), { timeout: 10_000 })
          .toContain('ways: kept out, kept out');
        expect(first + notes.join('\n')).toContain('a request was refused');
        expect(pages.inner.hits).toEqual([]);
      });

      it('cannot be reached past the proxy by datagrams', async () => {
        const socket = createSocket('udp4');
        const packets: number[] = [];
        socket.on('message', (bytes) => packets.push(bytes.length));
        await new Promise<void>((ready) => socket.bind(0, '127.0.0.1', ready));
        await go(`/speaks-udp?port=${socket.address().port}`);
        await expect
          .poll(async () => textOf(await run(snapshot, {})), { timeout: 5_000 })
          .toContain('all was tried');
        socket.close();
        expect(packets).toEqual([]);
      });

      it.each([
        'file:///etc/passwd',
        'chrome://version',
        'data:text/html,x',
        'view-source:http://a/',
        'javascript:alert(1)',
        'http://user:pw@example.com/',
      ])('is not a web address: %s', async (url) => {
        expect(await run(navigate, { url })).toMatchObject({ isError: true });
        expect(navigate.deed?.({ url }).refuse).toContain('no web address');
      });
    });

    it.skipIf(process.platform !== 'linux')(
      'runs without the rights of root, in its own sandbox (Linux only)',
      async () => {
        await go('/');
        const started = await processesOf('hermes-browser-');
        expect(started.length).toBeGreaterThan(2);
        for (const { uid, command } of started) {
          expect(uid).toBe(process.getuid?.() === 0 ? 65_534 : process.getuid?.());
          expect(command).not.toContain('--no-sandbox');
        }
      },
    );

    it.skipIf(process.platform !== 'linux')(
      'goes on with a new browser when it is killed (Linux only)',
      async () => {
        const own = (await processesOf('hermes-browser-')).find(({ parent }) => parent === process.pid);
        process.kill(own?.pid ?? Number.NaN, 'SIGKILL');
        await expect
          .poll(async () => textOf(await go('/').catch(failed)), { timeout: 20_000 })
          .toContain('heading "Start"');
        expect(notes).toContain('[the browser ended and is started anew; its pages are gone]');
      },
      60_000,
    );

    it('starts again after the browser was closed, and leaves nothing behind', async () => {
      const profiles = async () =>
        (await readdir(tmpdir())).filter((name) => name.startsWith('hermes-browser-'));
      const before = await profiles();
      await held.get('browser')?.close();
      await expect.poll(async () => (await profiles()).length).toBe(before.length - 1);
      expect(textOf(await go('/'))).toContain('heading "Start"');
    }, 60_000);
  },
);

const notes: string[] = [];

async function run(tool: Tool, input: Record<string, unknown>): Promise<ToolResult> {
  const result = await tool.run(tool.input.parse(input), context);
  notes.push(
    ...textOf(result)
      .split('\n')
      .filter((line) => line.startsWith('[')),
  );
  return result;
}

const textOf = ({ content }: ToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

function refOf(text: string, element: string): string {
  const line = text.split('\n').find((candidate) => candidate.includes(element));
  const ref = /\[ref=(\w+)\]/.exec(line ?? '')?.[1];
  if (!ref) throw new Error(`no ${element} in\n${text}`);
  return ref;
}

interface Found {
  readonly pid: number;
  readonly parent: number;
  readonly uid: number;
  readonly command: string;
}

const failed = (error: unknown): ToolResult => ({
  content: [{ type: 'text', text: String(error) }],
  summary: '',
});

/** Programs whose command line contains a text, and as whom they run. */
async function processesOf(text: string): Promise<Found[]> {
  const found: Found[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    // A process may end while it is looked at.
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const uid = (await stat(`/proc/${pid}`).catch(() => undefined))?.uid;
    if (!command.includes(text) || !command.includes('user-data-dir') || uid === undefined) continue;
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
    found.push({ pid: Number(pid), parent, uid, command: command.replaceAll('\0', ' ') });
  }
  return found;
}

function exists(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

describe('the browser tools', () => {
  it('are deferred, bring words of strangers, and say what is missing', () => {
    for (const tool of TOOLS) {
      expect(tool.deferred).toBe(true);
      expect(tool.missing?.({ key: () => undefined, program: () => undefined, sees: true })?.what).toContain(
        'Chromium',
      );
    }
    expect(navigate.deed?.({ url: 'example.com/x' })).toEqual({
      brings: ['untrusted'],
      sendsTo: ['example.com'],
    });
  });
});
