import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  alertmanagerPayload,
  incidentApi,
  makeIncidentHome,
  personOf,
  startServing,
} from '../../testkit/incident-home/index.ts';
import { CHROMIUM, launch, openPage, PHONE, violations } from './open-console.ts';

const LOOKS = 'token-of-somebody-who-looks-1';
const WORKS = 'token-of-somebody-who-works-1';
const DESK = { width: 1440, height: 900 };

let browser: Browser;

/** A home with an incident of two services each, which nothing connects. */
async function served() {
  const home = await makeIncidentHome({
    incidents: { recheck_seconds: [600], execute: false },
    users: [personOf('vera', 'viewer', LOOKS), personOf('otto', 'operator', WORKS)],
  });
  onTestFinished(() => home.remove());
  const serving = await startServing(home);
  onTestFinished(() => serving.kill());
  const { url } = serving;
  const api = incidentApi(() => url, home.token);
  const fire = async (service: string, name: string): Promise<string> => {
    const payload = alertmanagerPayload([{ name, service, startsAt: Date.now() }]);
    const { body } = await api.send('POST', '/gateway/alertmanager', payload);
    return (body as { alerts: { incident: string }[] }).alerts[0]?.incident ?? '';
  };
  const [cart, search] = [await fire('cart', 'CartSlow'), await fire('search', 'SearchDown')];
  await fire('cart', 'CartErrors');
  return { api, url, cart, search };
}

async function signIn(url: string, path: string, token: string, viewport = DESK) {
  const watched = await openPage(browser, url, viewport);
  await watched.page.goto(`${url}${path}#token=${token}`);
  return watched;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const isWide = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

describe.skipIf(!CHROMIUM)('regrouping at the console (skipped where there is no Chromium)', () => {
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  it('shows why alerts are one incident; who may merges, splits and moves; who may not only reads', async () => {
    const { api, url, cart, search } = await served();
    const { page: looks } = await signIn(url, `/incidents/${cart}`, LOOKS);
    await looks.getByText('it is about cart too', { exact: true }).waitFor();
    expect(await button(looks, 'Merge…').count()).toBe(0);
    expect(await button(looks, /^Move…/).count()).toBe(0);

    const { page, complaints } = await signIn(url, `/incidents/${search}`, WORKS);
    await button(page, 'Merge…').click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Merge' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Into').selectOption(cart);
    await dialog.getByText(/alerts of search and cart come into one incident from now on/).waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await page.waitForURL(`**/incidents/${cart}`);
    await page.getByText('otto put it here', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto(`${url}/incidents/${search}`);
    await page.getByRole('link', { name: cart }).waitFor();

    await page.goto(`${url}/incidents/${cart}`);
    await button(page, 'Move… search · SearchDown').click();
    expect(await dialog.getByLabel('Which alerts').inputValue()).toBe('service');
    await dialog.getByText(/alerts of search and cart stay apart from now on/).waitFor();
    await dialog.getByRole('button', { name: 'Split off' }).click();
    await expect.poll(() => page.url()).not.toContain(cart);
    const alone = page.url().split('/').at(-1) ?? '';
    expect((await api.incident(alone)).incident).toMatchObject({ service: 'search', alerts: 1 });
    expect((await api.incident(cart)).incident).toMatchObject({ services: ['cart'], alerts: 2 });
    const { body: rules } = await api.send('GET', '/api/grouping-rules');
    expect(rules).toMatchObject([{ verdict: 'together' }, { verdict: 'apart' }]);
    expect(complaints).toEqual([]);
  }, 90_000);

  it('moves one alert into another incident on a phone, in Chinese, and learns nothing from it', async () => {
    const { api, url, cart, search } = await served();
    const { page, complaints } = await signIn(url, `/incidents/${cart}`, WORKS, PHONE);
    await page.getByText('it is about cart too', { exact: true }).waitFor();
    await page.evaluate("localStorage.setItem('hermes.language', 'zh')");
    await page.reload();
    await button(page, '移出… cart · CartErrors').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('移入').selectOption(search);
    expect(await isWide(page)).toBe(false);
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: '移动' }).click();
    await page.waitForURL(`**/incidents/${search}`);
    await page.getByText('由 otto 归入', { exact: true }).waitFor();
    expect(await isWide(page)).toBe(false);
    expect((await api.incident(search)).incident).toMatchObject({ services: ['search', 'cart'], alerts: 2 });
    expect((await api.send('GET', '/api/grouping-rules')).body).toEqual([]);
    expect(complaints).toEqual([]);
  }, 90_000);
});
