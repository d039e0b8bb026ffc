import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';

const ROOT = join(import.meta.dirname, '..', '..');
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);

/** The demo with its console, as somebody starts it: another process, which prints its address. */
export interface RunningDemo {
  /** With the token behind the #. */
  readonly address: string;
  readonly origin: string;
  readonly token: string;
  close(): Promise<void>;
}

/** `env`: what it is told beyond the surroundings of this process. `cwd`: where its agent works. */
export async function startWatchedDemo(
  env: Readonly<Record<string, string>> = {},
  cwd = ROOT,
): Promise<RunningDemo> {
  const child = spawn(process.execPath, [join(ROOT, 'dist', 'hermes.js'), 'demo', '--watch'], {
    env: { ...process.env, HERMES_LANGUAGE: 'en', NO_COLOR: '1', ...env },
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await printedAddress(child);
  const { origin, hash } = new URL(address);
  return {
    address,
    origin,
    token: hash.replace('#token=', ''),
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function printedAddress(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the demo has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const [found] = /http:\/\/\S+#token=\S+/.exec(line) ?? [];
    if (!found) continue;
    // Whatever comes after it has to be read, or the demo would wait for its reader.
    child.stdout.resume();
    return found;
  }
  throw new Error('the demo ended without printing an address');
}

export interface WatchedPage {
  readonly page: Page;
  /** What the browser complained about. */
  readonly complaints: string[];
  /** Requests that left the origin. */
  readonly strays: string[];
}

export const PHONE = { width: 390, height: 844 };

export async function openPage(
  browser: Browser,
  origin: string,
  viewport?: { readonly width: number; readonly height: number },
): Promise<WatchedPage> {
  const context = await browser.newContext({ locale: 'en-US', ...(viewport ? { viewport } : {}) });
  const page = await context.newPage();
  const complaints: string[] = [];
  const strays: string[] = [];
  page.on('console', (message) => {
    // The first question is whether somebody is signed in; a no is an answer.
    if (message.type() === 'error' && !/status of 401/.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:')) strays.push(url);
  });
  return { page, complaints, strays };
}

/** The address of every page that the navigation leads to. */
export async function pagesOf(page: Page): Promise<readonly string[]> {
  const links = page.getByRole('navigation').first().getByRole('link');
  await links.first().waitFor();
  return links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? '/'));
}

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox', '--disable-gpu'] });

/** What axe finds wrong with a page as it stands, or with a part of it. */
export async function violations(page: Page, part = 'html'): Promise<string[]> {
  const script = await readFile(AXE, 'utf8');
  const found = await page.evaluate(`${script};
    new Promise((done) => setTimeout(done, 300)).then(() => axe.run('${part}')).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ').slice(0, 300)))`);
  return found as string[];
}

/** Whether an element has the focus. */
export const hasFocus = (element: Locator): Promise<boolean> =>
  element.and(element.page().locator(':focus')).isVisible();
