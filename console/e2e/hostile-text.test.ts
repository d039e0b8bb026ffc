import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  alertmanagerPayload,
  incidentApi,
  makeIncidentHome,
  startServing,
} from '../../testkit/incident-home/index.ts';
import { CHROMIUM, launch, openPage, pagesOf } from './open-console.ts';

const IMAGE = '<img src=x onerror="window.broken=1">';
const SCRIPT = '<script>window.broken=1</script>';
const LINK = 'javascript:window.broken=1';
const MARKDOWN = `[press me](${LINK}) <svg onload="window.broken=1"> ${IMAGE}`;

const SKILL = `---
name: hostile-runbook
description: ${JSON.stringify(`Look at ${IMAGE} first`)}
---

# Steps ${SCRIPT}

1. ${MARKDOWN}
`;

let browser: Browser;

describe.skipIf(!CHROMIUM)('text from outside is text (skipped where there is no Chromium)', () => {
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  it('in alerts, log lines, skills and what is said to the agent', async () => {
    const home = await makeIncidentHome();
    onTestFinished(() => home.remove());
    await mkdir(join(home.folder, 'skills', 'hostile-runbook'), { recursive: true });
    await writeFile(join(home.folder, 'skills', 'hostile-runbook', 'SKILL.md'), SKILL);
    const serving = await startServing(home);
    onTestFinished(() => serving.kill());
    const { url } = serving;
    const api = incidentApi(() => url, home.token);
    await api.send('POST', '/v1/logs', hostileLogs());
    await api.send('POST', '/gateway/alertmanager', hostileAlert());
    const said = { model: 'hermes', input: `status ${IMAGE} ${SCRIPT} ${MARKDOWN}` };
    const { body: answered } = await api.send('POST', '/v1/responses', said);
    const session = (answered as { x_hermes: { session: string } }).x_hermes.session;
    const [incident] = await api.until('an incident', async () => {
      const found = await api.incidents();
      return found.length ? found : undefined;
    });

    const { page, complaints } = await openPage(browser, url);
    page.on('dialog', (dialog) => {
      complaints.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(`${url}/#token=${home.token}`);
    const paths = [
      ...(await pagesOf(page)),
      `/incidents/${incident?.id}`,
      `/sessions/${session}`,
      '/skills/hostile-runbook',
    ];
    for (const path of paths) {
      await page.goto(`${url}${path}`);
      await page.getByRole('main').waitFor();
      await page.waitForTimeout(700);
      await expectInert(page, path);
    }
    await page.goto(`${url}/chat`);
    await page.getByRole('textbox').last().fill(said.input);
    await page.keyboard.press('Enter');
    await page.getByText(SCRIPT).first().waitFor();
    await page.waitForTimeout(1_500);
    await expectInert(page, 'an answer in the chat');
    // It is there to be read, as it was sent.
    await page.goto(`${url}/incidents`);
    await page.getByText(IMAGE).first().waitFor();
    await page.goto(`${url}/skills/hostile-runbook`);
    await page.getByText(SCRIPT).first().waitFor();
    await page.goto(`${url}/sessions/${session}`);
    await page.getByText(IMAGE).first().waitFor();
    expect(complaints).toEqual([]);
  }, 120_000);
});

async function expectInert(page: Page, path: string): Promise<void> {
  expect(await page.evaluate('window.broken'), path).toBeUndefined();
  const found = await page.evaluate(`[
    ...document.querySelectorAll('img[src=x], svg[onload], [onerror]'),
    ...[...document.querySelectorAll('a[href]')].filter(({ protocol }) => !/^https?:$/.test(protocol)),
    ...[...document.scripts].filter(({ src }) => !src),
  ].map(({ outerHTML }) => outerHTML)`);
  expect(found, path).toEqual([]);
}

function hostileAlert(): object {
  const [plain] = (
    alertmanagerPayload([
      { name: `Down ${IMAGE}`, service: `shop${IMAGE}`, labels: { note: SCRIPT }, startsAt: Date.now() },
    ]) as { alerts: object[] }
  ).alerts;
  return {
    ...alertmanagerPayload([]),
    status: 'firing',
    alerts: [
      { ...plain, annotations: { summary: `${IMAGE} ${SCRIPT}`, runbook_url: LINK }, generatorURL: LINK },
    ],
  };
}

function hostileLogs(): object {
  const record = (body: string) => ({
    timeUnixNano: String(BigInt(Date.now()) * 1_000_000n),
    severityText: 'ERROR',
    severityNumber: 17,
    body: { stringValue: body },
  });
  return {
    resourceLogs: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: `shop${IMAGE}` } }] },
        scopeLogs: [{ logRecords: [record(IMAGE), record(SCRIPT), record(MARKDOWN)] }],
      },
    ],
  };
}
