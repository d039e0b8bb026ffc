import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '#testkit/model-server';
import { hasTmux, openPane, type PaneOptions } from './tmux.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const HARNESS = fileURLToPath(import.meta.resolve('../support/cli/chat/main.ts'));
const folder = mkdtempSync(join(tmpdir(), 'hermes-chat-'));
const HISTORY = join(folder, 'history');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The chat over a scripted conversation, ready for the first key. */
async function chat(options: PaneOptions = {}, args = '') {
  const env = { NO_COLOR: '1', LANG: 'en_US.UTF-8', ...options.env };
  const pane = await openPane(`"${process.execPath}" "${HARNESS}" ${args}`, { cwd: ROOT, ...options, env });
  await pane.until(/openai\/gpt-5 · ▰/);
  return pane;
}

const IDLE = /^ openai\/gpt-5/m;
const lastLine = (screen: string) => screen.split('\n').at(-1) ?? '';
/** The screen has it, and no turn runs any more. */
const over = (wanted: RegExp) => (screen: string) => wanted.test(screen) && IDLE.test(lastLine(screen));

describe.skipIf(!hasTmux).concurrent('the chat on a terminal', { timeout: 30_000 }, () => {
  it('welcomes in two lines, streams an answer in place and frames code and tables', async () => {
    const pane = await chat({ rows: 40 });
    expect(await pane.screen()).toMatch(/^Hermes 0\.0\.0 · openai\/gpt-5\nAsk anything/);
    await pane.keys('halves', 'Enter');
    const growing = await pane.until(/d\/checkout\)/);
    expect(growing).toMatch(/answering/);
    expect(growing).not.toContain('全部完成');
    await pane.keys('go on', 'Enter');
    const screen = await pane.until(over(/全部完成/));
    expect(screen).toContain('╭─ sh ──');
    expect(screen).toContain('│ kubectl rollout undo deploy/checkout');
    expect(screen).toContain('(https://grafana.example/d/checkout)');
    expect(screen.match(/Findings/g)).toHaveLength(1);
  });

  it('aligns Chinese and emoji in tables', async () => {
    const pane = await chat({ rows: 40 });
    await pane.keys('doc', 'Enter');
    const screen = await pane.until(/全部完成/);
    const rows = screen.split('\n').filter((line) => line.startsWith('│') && line.endsWith('│'));
    const columns = (line: string) =>
      [...line].reduce(
        (sum, char) => sum + (/[\u3400-\u9fff]|\p{Emoji_Presentation}/u.test(char) ? 2 : 1),
        0,
      );
    expect(rows).toHaveLength(3);
    expect(new Set(rows.map(columns)).size).toBe(1);
  });

  it('shows parallel calls as lines of their own, with progress and then with what came of them', async () => {
    const pane = await chat();
    await pane.keys('tools', 'Enter');
    const running = await pane.until(/half way/);
    expect(running).toMatch(/running [123] tools?/);
    expect(running).toMatch(/45 of 50 calls/);
    const screen = await pane.until(/All three are done/);
    expect(screen).toContain('✓ read_file src/checkout.ts (120 lines, 400 ms)');
    expect(screen).toContain('✗ terminal kubectl get pods (exit 1, 1.2 s)');
    await pane.until(over(/./));
    await pane.keys('C-o');
    expect(await pane.until(/first line of terminal/)).toContain('│ {"path":"src/checkout.ts"}');
    await pane.keys('C-o');
    await pane.until((now) => !now.includes('first line of terminal'));
  });

  it('folds thinking to a line and unfolds it with Ctrl-T', async () => {
    const pane = await chat({ rows: 40 });
    await pane.keys('think', 'Enter');
    const screen = await pane.until(over(/The answer is 42/));
    expect(screen).toMatch(/✻ thought for/);
    expect(screen).not.toContain('step 20');
    await pane.keys('C-t');
    expect(await pane.until(/step 20/)).toContain('step 1 of');
    await pane.keys('C-t');
    await pane.until((now) => !now.includes('step 20') && now.includes('The answer is 42'));
  });

  it.each(['Escape', 'C-c'])('stops the turn and not the program with %s', async (key) => {
    const pane = await chat();
    await pane.keys('slow', 'Enter');
    await pane.until(/working on it/);
    await pane.keys(key);
    await pane.until(over(/■ stopped/));
    await pane.keys('echo again', 'Enter');
    expect(await pane.until(/heard 1 lines, first «echo again»/)).not.toContain('left with');
  });

  it('says what is typed to the running turn, and keeps what came too late for the next', async () => {
    const pane = await chat();
    await pane.keys('steer', 'Enter');
    await pane.until(/waiting to be told/);
    await pane.keys('be quick', 'Enter');
    expect(await pane.until(/steered by be quick/)).toContain('↳ be quick');
    await pane.until(over(/./));
    await pane.keys('late', 'Enter');
    await pane.until(/about to end/);
    await pane.keys('one more', 'Enter');
    await pane.until(/↳ one more \(goes in/);
    expect(await pane.until(/heard 1 lines, first «one more»/)).toContain('› one more');
  });

  it('folds a long paste and sends all of it', async () => {
    const pane = await chat();
    await pane.keys('look: ');
    await pane.paste(Array.from({ length: 200 }, (_, i) => `row ${i + 1}`).join('\n'));
    await pane.until(/look: \[paste: 200 lines\]/);
    await pane.keys('BSpace');
    await pane.until((now) => !now.includes('[paste'));
    await pane.paste(Array.from({ length: 200 }, (_, i) => `row ${i + 1}`).join('\n'));
    await pane.until(/look: \[paste: 200 lines\]/);
    await pane.keys('Enter');
    const screen = await pane.until(/heard 200 lines, first «look: row 1», last «row 200»/);
    expect(screen).toContain('› look: [paste: 200 lines]');
  });

  it('takes several lines by Ctrl-J, Alt-Enter and a backslash', async () => {
    const pane = await chat();
    await pane.keys('one', 'C-j', 'two', 'M-Enter', 'three\\', 'Enter', 'four', 'Enter');
    const screen = await pane.until(/heard 4 lines, first «one», last «four»/);
    expect(screen).toContain('› one\n  two\n  three\n  four');
  });

  it('completes commands and paths', async () => {
    const pane = await chat();
    await pane.keys('/he');
    expect(await pane.until(/what can be done/)).toContain('→ /help');
    await pane.keys('Enter');
    await pane.until(/ran \/help/);
    await pane.keys('see @src/cli/exit');
    await pane.until(/→ src\/cli\/exit-code\.ts/);
    await pane.keys('Tab');
    expect(await pane.until(/see @src\/cli\/exit-code\.ts/)).not.toContain('→');
  });

  it('keeps its place through resizes, and leaves the scrollback whole', async () => {
    const pane = await chat({ rows: 20 });
    await pane.keys('long 200', 'Enter');
    await pane.until(over(/line 200/));
    for (const [columns, rows] of [
      [60, 16],
      [40, 12],
      [100, 30],
    ] as const) {
      await pane.resize(columns, rows);
      const screen = await pane.until((now) => now.includes('─'.repeat(columns)) && IDLE.test(lastLine(now)));
      expect(screen.match(/line 200 of/g)).toHaveLength(1);
    }
    const everything = await pane.everything();
    for (const line of [1, 50, 100, 199]) expect(everything).toContain(`line ${line} of a very long answer`);
  });

  it('stays quick in ten thousand lines', async () => {
    const pane = await chat();
    const begin = performance.now();
    await pane.keys('long 10000', 'Enter');
    await pane.until(over(/line 10000/));
    expect(performance.now() - begin).toBeLessThan(7_000);
    await pane.keys('echo still here', 'Enter');
    const screen = await pane.until(over(/heard 1 lines/));
    expect(screen).toContain('line 10000 of a very long answer\n\n› echo still here\n\nheard 1 lines');
    await pane.keys('C-l', 'echo more', 'Enter');
    expect(await pane.until(/first «echo more»/)).not.toContain('line 10000');
  });

  it('asks with choices, takes another answer, and none at Esc', async () => {
    const pane = await chat();
    await pane.keys('ask', 'Enter');
    await pane.until(/› prod-eu/);
    await pane.keys('Down', 'Enter');
    await pane.until(over(/the answer was «prod-us»/));
    await pane.keys('ask', 'Enter');
    await pane.until(/› prod-eu/);
    await pane.keys('my own', 'Enter');
    await pane.until(over(/the answer was «my own»/));
    await pane.keys('ask', 'Enter');
    await pane.until(/› prod-eu/);
    await pane.keys('Escape');
    expect(await pane.until(over(/the answer was «none»/))).not.toContain('› prod-eu');
  });

  it('leaves at the second Ctrl-C, and says how to come back', async () => {
    const pane = await chat();
    await pane.keys('echo hi', 'Enter');
    await pane.until(over(/heard 1 lines/));
    await pane.keys('C-c');
    await pane.until(/Ctrl-C again leaves/);
    await pane.keys('C-c');
    const screen = await pane.until(/left with 0/);
    expect(screen).toContain('hermes --resume s_harness');
    expect(screen).toContain('heard 1 lines');
    expect(screen).not.toMatch(/─{10}/);
  });

  it('leaves at Ctrl-D on an empty line, and has nothing to come back to', async () => {
    const pane = await chat();
    await pane.keys('C-d');
    expect(await pane.until(/left with 0/)).not.toContain('--resume');
  });

  it('remembers what was typed, across sessions', async () => {
    const first = await chat({}, HISTORY);
    await first.keys('echo remember me', 'Enter');
    await first.until(over(/heard 1 lines/));
    await first.keys('C-d');
    await first.until(/left with 0/);
    const second = await chat({}, HISTORY);
    await second.keys('Up');
    await second.until(/^ echo remember me/m);
    await second.keys('C-c', 'C-r', 'remem');
    await second.until(/› echo remember me/);
    await second.keys('Enter');
    expect(await second.until(/^ echo remember me/m)).not.toContain('Search what');
  });

  it('shows failures calmly, and what comes from outside inertly', async () => {
    const pane = await chat();
    await pane.keys('fail', 'Enter');
    const failed = await pane.until(over(/✗ Rate limited \(openai\/gpt-5, HTTP 429\): slow down/));
    expect(failed).toContain('→ Wait, add a key');
    await pane.keys('evil', 'Enter');
    const screen = await pane.until(/gnp\.exe/);
    expect(screen).toContain('a␛]0;owned␇b ␛[2Jc');
    expect(screen).toContain('<U+202E>gnp.exe');
  });

  it('clears with Ctrl-L and goes on', async () => {
    const pane = await chat();
    await pane.keys('echo one', 'Enter');
    await pane.until(over(/heard 1 lines/));
    await pane.keys('C-l');
    await pane.until((now) => !now.includes('heard'));
    expect(await pane.everything()).toContain('heard 1 lines');
    await pane.keys('echo two', 'Enter');
    await pane.until(/first «echo two»/);
  });

  it('shows the end of a conversation that is gone on with, in forty columns', async () => {
    const pane = await chat({ columns: 40 }, '"" past');
    const screen = await pane.screen();
    expect(screen).toContain('› why is checkout slow?');
    expect(screen).toContain('Because of v2.4.1.');
    for (const line of screen.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  });

  it('is plain on a terminal that can do nothing', async () => {
    const pane = await openPane(`"${process.execPath}" "${HARNESS}"`, { cwd: ROOT, env: { TERM: 'dumb' } });
    await pane.until(/you ›/);
    await pane.keys('echo plain', 'Enter');
    await pane.until(/heard 1 lines/);
    await pane.keys('slow', 'Enter');
    await pane.until(/working on it/);
    await pane.keys('C-c');
    await pane.until(/stopped/);
    await pane.keys('C-d');
    expect(await pane.until(/left with 130/)).not.toContain('▰');
  });
});

describe.skipIf(!hasTmux)('hermes on a terminal', { timeout: 30_000 }, () => {
  const PROGRAM = join(ROOT, 'src', 'cli', 'main.ts');
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer({
      script: { models: [{ id: 'demo' }], rules: [], fallback: { text: '**You said:** {{user}}' } },
    });
  });
  afterAll(() => server.close());
  const hermes = (args = '', home = join(folder, 'home')) =>
    openPane(`"${process.execPath}" "${PROGRAM}" ${args}`, {
      cwd: folder,
      env: {
        HOME: folder,
        HERMES_HOME: home,
        HERMES_BASE_URL: `${server.url}/v1`,
        HERMES_API_KEY: 'sk-test-secret-0123456789',
        HERMES_MODEL: 'demo',
        LANG: 'en_US.UTF-8',
        NO_COLOR: '1',
      },
    });

  it('is plain lines where the style is plain', async () => {
    const home = join(folder, 'plain-home');
    mkdirSync(home);
    writeFileSync(join(home, 'config.yaml'), 'cli: {prompt_style: plain}\n');
    const pane = await hermes('', home);
    await pane.keys('hello there', 'Enter');
    // The text as the model wrote it, and no status line.
    expect(await pane.until(/\*\*You said:\*\* hello there/)).not.toMatch(/demo · [▰▱]/);
    await pane.keys('/quit', 'Enter');
    await pane.until(/left with 0/);
  });

  it('answers with the model, runs commands, and goes on where it was left', async () => {
    const pane = await hermes();
    await pane.until(/demo · ▱|demo · ses_/);
    await pane.keys('hello there', 'Enter');
    await pane.until(/You said: hello there/);
    await pane.keys('/help', 'Enter');
    await pane.until(/\/quit/);
    await pane.keys('/quit', 'Enter');
    const screen = await pane.until(/left with 0/);
    const id = /hermes --resume (\S+)/.exec(screen)?.[1];
    expect(id).toBeTruthy();
    const again = await hermes(`--resume ${id}`);
    expect(await again.until(/You said: hello there/)).toContain('› hello there');
  });
});
