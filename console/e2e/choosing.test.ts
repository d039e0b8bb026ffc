import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  alertmanagerPayload,
  incidentApi,
  makeIncidentHome,
  startServing,
} from '../../testkit/incident-home/index.ts';
import { CHROMIUM, hasFocus, launch, openPage, PHONE, violations } from './open-console.ts';

/** What stands open over the page; the page behind it is hidden from screen readers meanwhile. */
const OPENED = '.floating-box';
const SERVICES = ['cart-service', 'payment-service', 'stock-service'];

let browser: Browser;

/** A home with an incident of each service. */
async function served(): Promise<{ readonly url: string; readonly token: string }> {
  const home = await makeIncidentHome({ incidents: { recheck_seconds: [600] } });
  onTestFinished(() => home.remove());
  const serving = await startServing(home);
  onTestFinished(() => serving.kill());
  const { url } = serving;
  const api = incidentApi(() => url, home.token);
  for (const service of SERVICES)
    await api.send(
      'POST',
      '/gateway/alertmanager',
      alertmanagerPayload([{ name: `Down ${service}`, service, startsAt: Date.now() }]),
    );
  await api.until('all incidents', async () => {
    const all = await api.incidents();
    return all.length === SERVICES.length || undefined;
  });
  return { url, token: home.token };
}

const rows = (page: Page) => page.getByRole('link', { name: /^Down / });
const address = (page: Page) => new URL(page.url()).searchParams;

describe.skipIf(!CHROMIUM)('choosing at the console (skipped where there is no Chromium)', () => {
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  it('takes keys alone: a service by a part of its name, a stretch of days, a form of the report', async () => {
    const { url, token } = await served();
    const { page, complaints } = await openPage(browser, url);
    await page.goto(`${url}/incidents#token=${token}`);
    await rows(page)
      .nth(SERVICES.length - 1)
      .waitFor();

    const service = page.getByRole('combobox', { name: 'Service' });
    await service.focus();
    await page.keyboard.type('paym');
    await page.getByRole('option', { name: 'payment-service' }).waitFor();
    await expect.poll(() => page.getByRole('option', { name: 'cart-service' }).count()).toBe(0);
    expect(await violations(page, OPENED)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(() => address(page).get('service')).toBe('payment-service');
    await expect.poll(() => rows(page).count()).toBe(1);
    // What no incident names may be asked for too.
    await service.fill('a-service-of-long-ago');
    await page.keyboard.press('Enter');
    await page.getByText('No incident fits').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => rows(page).count()).toBe(SERVICES.length);

    const opened = page.getByRole('button', { name: 'Opened Any time' });
    await opened.focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('To', { exact: true }).fill('2020-01-31');
    await page.getByText('No incident fits').waitFor();
    expect(await violations(page, OPENED)).toEqual([]);
    await page.getByRole('button', { name: 'Last 7 days' }).press('Enter');
    await expect.poll(() => rows(page).count()).toBe(SERVICES.length);
    expect(address(page).get('from')).toMatch(/^\d{4}-\d\d-\d\d$/);
    // Letters stand for something on the page, where `c` opens an incident, and not in what stands over it.
    await page.keyboard.press('c');
    expect(await page.getByRole('heading', { name: 'Open an incident by hand' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByLabel('To', { exact: true }).waitFor({ state: 'detached' });

    await rows(page).first().click();
    const report = page.getByRole('button', { name: 'Report' });
    await report.press('Enter');
    await page.getByRole('menuitem', { name: 'Read it as a page' }).waitFor();
    expect(await violations(page, OPENED)).toEqual([]);
    await page.keyboard.press('d');
    const markdown = page.getByRole('menuitem', { name: 'Download it as Markdown' });
    await expect.poll(() => hasFocus(markdown)).toBe(true);
    const download = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    expect((await download).suggestedFilename()).toMatch(/\.md$/);
    await expect.poll(() => hasFocus(report)).toBe(true);

    await page.goto(`${url}/digests`);
    await page.getByRole('button', { name: 'Earlier' }).focus();
    await page.locator('.floating-tip').getByText('Earlier').waitFor();
    expect(complaints).toEqual([]);
  }, 90_000);

  it('fits a phone, and speaks Chinese', async () => {
    const { url, token } = await served();
    const { page, complaints } = await openPage(browser, url, PHONE);
    await page.addInitScript("localStorage.setItem('hermes.language', 'zh')");
    await page.goto(`${url}/incidents#token=${token}`);
    await page.getByRole('combobox', { name: '服务' }).click();
    await page.getByRole('option', { name: 'cart-service' }).click();
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByRole('button', { name: '创建时间 任意时间' }).click();
    expect(
      await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
    ).toBe(false);
    await page.getByRole('button', { name: '今天' }).click();
    await page.getByRole('button', { name: /^创建时间 \d{4}年/ }).waitFor();
    expect(await violations(page, OPENED)).toEqual([]);
    expect(complaints).toEqual([]);
  }, 90_000);
});
