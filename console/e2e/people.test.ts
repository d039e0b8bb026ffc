import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personOf } from '../../testkit/incident-home/index.ts';
import { reached, type ServedStory, servedStory } from '../../test/incidents/failing-service.ts';
import { CHROMIUM, launch, openPage, PHONE } from './open-console.ts';

const TOKENS = {
  vera: 'token-of-somebody-who-looks-1',
  otto: 'token-of-somebody-who-works-1',
  anna: 'token-of-somebody-who-agrees-1',
};
const HOME = {
  users: [
    personOf('vera', 'viewer', TOKENS.vera),
    personOf('otto', 'operator', TOKENS.otto),
    personOf('anna', 'approver', TOKENS.anna),
  ],
  incidents: { confirm_always: true, confirm_word: 'YES_ROLL_BACK' },
};

let browser: Browser;

describe.skipIf(!CHROMIUM)('people at the console (skipped where there is no Chromium)', () => {
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  async function signIn({ served }: ServedStory, token: string, viewport?: typeof PHONE) {
    const watched = await openPage(browser, served.url, viewport);
    await watched.page.goto(`${served.url}/approvals`);
    await enter(watched.page, token);
    return watched;
  }
  async function enter(page: Page, token: string): Promise<void> {
    await page.getByLabel('Access token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  it('see and do what their role lets them; an approver agrees on a phone', async () => {
    const story = await servedStory(HOME);
    const { incident, approval } = await story.asked();

    const { page: door } = await signIn(story, 'a-token-that-nobody-has');
    await door.getByText('This token is not known here.').waitFor();

    const { page: looks } = await signIn(story, TOKENS.vera);
    await looks.getByText('vera · viewer').waitFor();
    await looks
      .getByText(/^v2 → v1|rollback_canary/)
      .first()
      .waitFor();
    expect(await looks.getByRole('button', { name: 'Approve…' }).count()).toBe(0);
    await looks.goto(`${story.served.url}/incidents`);
    await looks.getByRole('link', { name: incident.title }).first().waitFor();
    expect(await looks.getByRole('button', { name: /open an incident|new incident/i }).count()).toBe(0);
    // What the page does not offer, the server does not allow either.
    expect(await statusFrom(looks, `/api/approvals/${approval.id}/approve`)).toBe(403);
    expect(await statusFrom(looks, `/api/incidents/${incident.id}/close`)).toBe(403);

    const { page: works } = await signIn(story, TOKENS.otto);
    await works.getByText('otto · operator').waitFor();
    expect(await works.getByRole('button', { name: 'Approve…' }).count()).toBe(0);
    expect(await statusFrom(works, `/api/approvals/${approval.id}/approve`)).toBe(403);

    const { page: agrees, complaints } = await signIn(story, TOKENS.anna, PHONE);
    await agrees.getByRole('button', { name: 'Approve…' }).click();
    const dialog = agrees.getByRole('dialog');
    const yes = dialog.getByRole('button', { name: /approve/i });
    expect(await yes.isDisabled()).toBe(true);
    await dialog.getByLabel(/YES_ROLL_BACK/).fill('YES_ROLL_BACK');
    expect(await widerThanScreen(agrees)).toBe(false);
    await yes.click();
    await reached(story.api, incident.id, 'recovered');
    const { facts } = await story.api.incident(incident.id);
    expect(facts.find(({ type }) => type === 'approval.granted')?.data).toMatchObject({ by: 'anna' });
    await agrees.goto(`${story.served.url}/incidents/${incident.id}`);
    await agrees
      .getByText(/recovered/i)
      .first()
      .waitFor();
    expect(await widerThanScreen(agrees)).toBe(false);
    expect(complaints).toEqual([]);
  }, 90_000);

  it('choose their language and their light, which hold after a reload, and leave', async () => {
    const story = await servedStory(HOME);
    const { page } = await signIn(story, TOKENS.otto);
    await page.getByText('otto · operator').waitFor();
    const root = page.locator('html');
    const background = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    await choose(page, 'Light');
    const light = await background();
    await choose(page, 'Dark');
    expect(await background()).not.toBe(light);
    const dark = await background();
    await choose(page, '中文');
    await page.getByRole('heading', { level: 1, name: '审批' }).waitFor();
    expect(await root.getAttribute('lang')).toMatch(/^zh/);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: '审批' }).waitFor();
    expect(await background()).toBe(dark);
    await choose(page, 'English');
    await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Access token').waitFor();
    await page.goto(`${story.served.url}/incidents`);
    await page.getByLabel('Access token').waitFor();
  }, 60_000);
});

const choose = (page: Page, name: string) => page.getByText(name, { exact: true }).first().click();

const widerThanScreen = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

/** What the server says to a write of this page's own session. */
async function statusFrom(page: Page, path: string): Promise<number> {
  const status: unknown = await page.evaluate(`fetch('/api/session')
    .then((answer) => answer.json())
    .then(({ csrf }) => fetch(${JSON.stringify(path)}, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrf },
      body: JSON.stringify({ confirmation: 'YES_ROLL_BACK', why: 'because' }),
    }))
    .then(({ status }) => status)`);
  return Number(status);
}
