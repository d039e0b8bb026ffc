import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  alertmanagerPayload,
  incidentApi,
  makeIncidentHome,
  startServing,
} from '../../testkit/incident-home/index.ts';
import { CHROMIUM, launch, openPage } from './open-console.ts';

let browser: Browser;
const alert = (service: string) => alertmanagerPayload([{ name: 'Down', service, startsAt: Date.now() }]);

/** Writes down the place of every event that reaches the page, whatever it does with it. */
const LISTEN = `
  window.heard = [];
  const Plain = window.EventSource;
  window.EventSource = class extends Plain {
    addEventListener(type, listener, options) {
      super.addEventListener(type, (event) => {
        if (event.lastEventId) window.heard.push(Number(event.lastEventId));
        listener.call(this, event);
      }, options);
    }
  };`;

describe.skipIf(!CHROMIUM)('a page that is open (skipped where there is no Chromium)', () => {
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  it('outlives its server, and misses no event', async () => {
    const home = await makeIncidentHome({ incidents: { recheck_seconds: [600] } });
    onTestFinished(() => home.remove());
    let serving = await startServing(home);
    onTestFinished(() => serving.kill());
    const { url } = serving;
    const api = incidentApi(() => url, home.token);
    const { page } = await openPage(browser, url);
    await page.addInitScript(LISTEN);
    await page.goto(`${url}/incidents#token=${home.token}`);
    await page.locator('[data-live=live]').waitFor();
    await page.evaluate('window.sameDocument = true');
    await api.send('POST', '/gateway/alertmanager', alert('before-service'));
    await page.getByText('before-service').first().waitFor();

    await serving.kill();
    await page.locator('[data-live=reconnecting]').waitFor();
    // What was known stays on the page meanwhile.
    expect(await page.getByText('before-service').count()).toBeGreaterThan(0);
    serving = await startServing(home, Number(new URL(url).port));
    // Before the page is back.
    await api.send('POST', '/gateway/alertmanager', alert('meanwhile-service'));
    await page.locator('[data-live=live]').waitFor({ timeout: 30_000 });
    await page.getByText('meanwhile-service').first().waitFor();
    await api.send('POST', '/gateway/alertmanager', alert('after-service'));
    await page.getByText('after-service').first().waitFor();

    expect(await page.evaluate('window.sameDocument')).toBe(true);
    const heard = (await page.evaluate('window.heard')) as readonly number[];
    const [first = 0] = heard;
    expect(heard.length).toBeGreaterThan(5);
    expect(heard).toEqual(heard.map((_, index) => first + index));
  }, 90_000);
});
