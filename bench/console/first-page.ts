import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const BROWSER = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);

/**
 * Milliseconds from the first byte asked for until a person who comes with nothing cached is signed in, sees the page and
 * has its palette open under their keys; of each round. Undefined where there is no browser.
 */
export async function timeFirstPage(address: string, rounds: number): Promise<readonly number[] | undefined> {
  if (!BROWSER) return undefined;
  const browser = await chromium.launch({
    executablePath: BROWSER,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const times: number[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const context = await browser.newContext({ locale: 'en-US' });
      const page = await context.newPage();
      const began = performance.now();
      await page.goto(address, { waitUntil: 'commit' });
      await page.getByRole('navigation').first().waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      times.push(performance.now() - began);
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return times;
}
