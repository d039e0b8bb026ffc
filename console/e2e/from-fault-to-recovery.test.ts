import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CHROMIUM,
  launch,
  openPage,
  pagesOf,
  PHONE,
  type RunningDemo,
  startWatchedDemo,
  violations,
} from './open-console.ts';

let demo: RunningDemo;
let browser: Browser;

describe.skipIf(!CHROMIUM)('the console in Chromium (skipped where there is none)', () => {
  beforeAll(async () => {
    [demo, browser] = await Promise.all([startWatchedDemo(), launch()]);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await demo?.close();
  });

  it('takes a fault to a verified recovery, approved in the page, and complains about nothing', async () => {
    const { page, complaints, strays } = await openPage(browser, demo.origin);
    await page.goto(demo.address);
    await page.getByRole('button', { name: 'Inject a fault' }).waitFor();
    // A while as usual, to have something to compare with.
    await page.waitForTimeout(25_000);
    await page.getByRole('button', { name: 'Inject a fault' }).click();
    await page.goto(`${demo.origin}/approvals`);
    await page.getByRole('button', { name: 'Approve…' }).first().click({ timeout: 60_000 });
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /approve/i })
      .click();
    await page.goto(`${demo.origin}/incidents?show=all`);
    const { origin, token } = demo;
    await expect
      .poll(() => states(origin, token), { timeout: 60_000, interval: 1_000 })
      .toContain('recovered');
    const [id] = await incidentIds(origin, token);
    await page.goto(`${origin}/incidents/${id}`);
    await page
      .getByText(/recovered/i)
      .first()
      .waitFor();
    await expect.poll(() => page.getByText('v2.3.1').count()).toBeGreaterThan(0);
    expect(strays).toEqual([]);
    expect(complaints).toEqual([]);
  }, 180_000);

  it('has no violation that axe finds on any page, in both themes and on a phone', async () => {
    const { page } = await openPage(browser, demo.origin);
    await page.goto(demo.address);
    const pages = await pagesOf(page);
    expect(pages).toContain('/incidents');
    const [id] = await incidentIds(demo.origin, demo.token);
    const paths = [...pages, ...(id ? [`/incidents/${id}`] : [])];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const path of paths) expect(await violationsAt(page, `${demo.origin}${path}`), path).toEqual([]);
    }
    await page.setViewportSize(PHONE);
    for (const path of paths) expect(await violationsAt(page, `${demo.origin}${path}`), path).toEqual([]);
  }, 120_000);

  it('lets nobody in without the token', async () => {
    const { page } = await openPage(browser, demo.origin);
    await page.goto(`${demo.origin}/incidents`);
    await page.getByLabel(/token/i).waitFor();
    const answer = await fetch(`${demo.origin}/api/incidents`);
    expect(answer.status).toBe(401);
  });
});

const headers = (token: string) => ({ authorization: `Bearer ${token}` });

async function incidents(origin: string, token: string): Promise<{ id: string; state: string }[]> {
  const answer = await fetch(`${origin}/api/incidents`, { headers: headers(token) });
  return (await answer.json()) as { id: string; state: string }[];
}
const states = async (origin: string, token: string) =>
  (await incidents(origin, token)).map(({ state }) => state);
const incidentIds = async (origin: string, token: string) =>
  (await incidents(origin, token)).map(({ id }) => id);

async function violationsAt(page: Page, url: string): Promise<string[]> {
  await page.goto(url);
  await page.getByRole('main').waitFor();
  await page.waitForLoadState('load');
  return violations(page);
}
