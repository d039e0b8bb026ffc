import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startModelServer } from '../../testkit/model-server/index.ts';
import { launch, pagesOf, PHONE, type RunningDemo, startWatchedDemo } from './open-console.ts';

/**
 * Takes the pictures of docs/images: the demo breaks, is repaired with an approval, talks with a scripted model, and every
 * page is photographed. `node console/e2e/take-pictures.ts [folder]`, after `npm run build`.
 */
const FOLDER = process.argv[2] ?? join(import.meta.dirname, '..', '..', 'docs', 'images');
const DESK = { width: 1_440, height: 900 };
const USUAL_MS = 45_000;

/** What somebody asks at three in the morning, and what a model does with it. */
const SCRIPT = {
  rules: [
    {
      when: { contains: 'slow', turn: 0 },
      reply: {
        thinking:
          'The slow requests may come from the pool. First its settings, then how many connections wait.',
        text: 'I look at the settings and at what runs.',
        toolCalls: [
          { name: 'read_file', arguments: { path: 'config.yaml' } },
          { name: 'search_files', arguments: { pattern: 'pool', path: 'docs' } },
        ],
      },
    },
    {
      when: { afterTool: 'search_files' },
      reply: {
        text: [
          'The pool is the likeliest cause:',
          '',
          '| sign | value | usual |',
          '| --- | --- | --- |',
          '| connections in use | 20 of 20 | 7 |',
          '| waiting requests | 143 | 0 |',
          '',
          '1. `payment-service` waits **4.2 s** for a connection.',
          '2. Nothing else of the host is short.',
          '',
          'Raise `pool.max` to 40, or roll back v2.3.1, which halved it.',
        ].join('\n'),
      },
    },
  ],
  fallback: { text: 'Noted.' },
};

/** What the agent looks at. */
const SHOP = join(tmpdir(), 'shop');
await mkdir(join(SHOP, 'docs'), { recursive: true });
await writeFile(join(SHOP, 'config.yaml'), 'pool:\n  max: 20\n  wait_ms: 5000\n');
await writeFile(
  join(SHOP, 'docs', 'pool.md'),
  '# The pool\n\nThe pool holds the connections to the database.\n',
);

const model = await startModelServer({ script: SCRIPT });
const env = {
  HERMES_PROVIDER: 'openai',
  HERMES_MODEL: 'gpt-5',
  HERMES_BASE_URL: `${model.url}/v1`,
  HERMES_API_KEY: 'not-a-key',
};
const demo = await startWatchedDemo(env, SHOP);
const browser = await launch();
try {
  await mkdir(FOLDER, { recursive: true });
  await takeAll(browser, demo);
} finally {
  await browser.close();
  await demo.close();
  await model.close();
  await rm(SHOP, { recursive: true });
}

async function takeAll(browserIn: Browser, { origin, address, token }: RunningDemo): Promise<void> {
  const page = await (await browserIn.newContext({ viewport: DESK, locale: 'en-US' })).newPage();
  const shoot = async (name: string, path?: string): Promise<void> => {
    if (path !== undefined) await page.goto(`${origin}${path}`);
    await page.waitForTimeout(2_500);
    await page.screenshot({ path: join(FOLDER, `console-${name}.png`) });
    console.log(name);
  };
  const call = async (path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${origin}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.status === 204 ? undefined : answer.json();
  };
  await page.goto(address);
  await page.waitForTimeout(USUAL_MS);
  await call('/api/demo/inject', { fault: 'PAYMENT_503_AFTER_DEPLOY' });
  await page.goto(`${origin}/approvals`);
  await page.getByRole('button', { name: 'Approve…' }).first().waitFor({ timeout: 60_000 });
  const [incident] = (await call('/api/incidents')) as { id: string }[];
  await shoot('approvals');
  await shoot('monitoring', '/monitoring');
  await shoot('incident', `/incidents/${incident?.id}`);
  await takePhone(browserIn, address, origin);
  await page.goto(`${origin}/approvals`);
  await page.getByRole('button', { name: 'Approve…' }).first().click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /approve/i })
    .click();
  for (let state = ''; state !== 'recovered'; await page.waitForTimeout(1_000)) {
    [{ state } = { state: '' }] = (await call('/api/incidents')) as { state: string }[];
  }
  await call('/api/demo/clear', {});
  await call('/v1/responses', {
    model: 'hermes',
    input: 'Remember that payment-service runs in two regions.',
  });
  const told = (await call('/v1/responses', { model: 'hermes', input: 'Why is checkout slow?' })) as {
    x_hermes?: { session?: string };
  };
  await shoot('recovered', `/incidents/${incident?.id}`);
  await page.getByRole('heading', { name: 'Hypotheses' }).scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, DESK.height * 0.8);
  await shoot('evidence');
  for (const path of await pagesOf(page)) {
    const name = path === '/' ? 'overview' : path.slice(1);
    const whole = name === 'incidents' ? `${path}?show=all` : path;
    if (!['approvals', 'monitoring', 'chat'].includes(name)) await shoot(name, whole);
  }
  await shoot('skill', '/skills/container_deploy');
  const session = told.x_hermes?.session;
  if (session) await shoot('debugger', `/sessions/${session}`);
  await takeChat(page, origin, shoot);
  await page.emulateMedia({ colorScheme: 'dark' });
  await shoot('incident-dark', `/incidents/${incident?.id}`);
  await page.getByText('中文', { exact: true }).first().click();
  await shoot('incident-zh');
}

async function takePhone(browserIn: Browser, address: string, origin: string): Promise<void> {
  const phone = await browserIn.newContext({ viewport: PHONE, deviceScaleFactor: 2, locale: 'en-US' });
  const page = await phone.newPage();
  await page.goto(address);
  await page.getByRole('navigation').first().waitFor();
  await page.goto(`${origin}/approvals`);
  await page.waitForTimeout(2_000);
  await page.screenshot({ path: join(FOLDER, 'console-phone.png') });
  console.log('phone');
  await phone.close();
}

async function takeChat(page: Page, origin: string, shoot: (name: string) => Promise<void>): Promise<void> {
  await page.goto(`${origin}/chat`);
  await page.getByRole('textbox').last().fill('Checkout is slow since ten. What do you see?');
  await page.keyboard.press('Enter');
  await page.getByText('The pool is the likeliest cause').waitFor({ timeout: 20_000 });
  await shoot('chat');
}
