import type { BrowserContext, ConsoleMessage, Page } from 'playwright-core';
import { fail } from '#kit/app-error';
import type { ToolContext } from '#spec/ports';
import { openFilteringProxy, type FilteringProxy } from './filtering-proxy.ts';
import { allowedHosts, findChromium, isMissing } from './find-chromium.ts';
import { type LaunchedBrowser, launchChromium } from './launch-chromium.ts';

interface ConsoleLine {
  readonly level: string;
  readonly text: string;
  readonly where: string;
}

const MOST_LINES = 200;
const LINE_CHARS = 500;
const MOST_PAGES = 8;
const MOST_NOTES = 20;
const ACTION_MS = 10_000;
const NAVIGATION_MS = 30_000;

type BrowserPlace = Pick<ToolContext, 'key' | 'program' | 'log'>;

/** The browser of one conversation: it is started at the first use, and again after it broke. */
export class BrowserSession {
  readonly #place: BrowserPlace;
  #proxy: FilteringProxy | undefined;
  #browser: LaunchedBrowser | undefined;
  #launching: Promise<LaunchedBrowser> | undefined;
  #page: Page | undefined;
  #notes: string[] = [];
  #lines: ConsoleLine[] = [];
  /** The text that `browser_snapshot` pages through. */
  shown: { readonly url: string; readonly text: string } | undefined;

  constructor(place: BrowserPlace) {
    this.#place = place;
  }

  /** The page that is in front. */
  async page(): Promise<Page> {
    if (this.#page && !this.#page.isClosed()) return this.#page;
    const { context } = await this.#running();
    const page = context.pages().at(-1) ?? (await context.newPage());
    this.#page = page;
    return page;
  }

  /** What happened beside the actions since this was last asked: dialogs, new tabs, what was refused. */
  takeNotes(): readonly string[] {
    const refused = (this.#proxy?.refusals() ?? []).map((text) => `a request was refused: ${text}`);
    const notes = [...this.#notes, ...refused];
    this.#notes = [];
    return notes;
  }

  consoleLines(clear: boolean): readonly ConsoleLine[] {
    const lines = this.#lines;
    if (clear) this.#lines = [];
    return lines;
  }

  async close(): Promise<void> {
    // One that did not start was told of where it was wanted.
    const browser = this.#browser ?? (await this.#launching?.catch(() => undefined));
    const proxy = this.#proxy;
    this.#browser = undefined;
    this.#proxy = undefined;
    this.#page = undefined;
    await browser?.close();
    await proxy?.close();
  }

  async #running(): Promise<LaunchedBrowser> {
    if (this.#browser) return this.#browser;
    this.#launching ??= this.#launch().finally(() => {
      this.#launching = undefined;
    });
    this.#browser = await this.#launching;
    return this.#browser;
  }

  async #launch(): Promise<LaunchedBrowser> {
    const plan = findChromium(this.#place);
    if (isMissing(plan)) throw fail('tool.failed', plan.what, plan.fix);
    this.#proxy ??= await openFilteringProxy({ allow: allowedHosts(this.#place) });
    const browser = await launchChromium(plan, this.#proxy.url);
    this.#watch(browser.context);
    browser.context.on('close', () => {
      if (this.#browser !== browser) return;
      this.#browser = undefined;
      this.#page = undefined;
      this.#note('the browser ended and is started anew; its pages are gone');
      // The rest of it, its folder above all, goes in any case.
      void browser.close().catch(this.#lost('removing what a browser that ended has left'));
    });
    return browser;
  }

  #watch(context: BrowserContext): void {
    context.setDefaultTimeout(ACTION_MS);
    context.setDefaultNavigationTimeout(NAVIGATION_MS);
    for (const page of context.pages()) this.#watchPage(page);
    context.on('page', (page) => {
      this.#watchPage(page);
      if (context.pages().length > MOST_PAGES) {
        this.#note('a new tab was closed: too many are open');
        void page.close().catch(this.#lost('closing a tab beyond the most'));
        return;
      }
      if (this.#page) this.#note('a new tab opened and is now the current page');
      this.#page = page;
    });
  }

  #watchPage(page: Page): void {
    page.on('dialog', (dialog) => {
      // A page that asks whether it may be left would stay for ever.
      const leaving = dialog.type() === 'beforeunload';
      const said = JSON.stringify(dialog.message().slice(0, 300));
      this.#note(`a dialog (${dialog.type()}) said ${said}; it was ${leaving ? 'accepted' : 'dismissed'}`);
      // It may be gone with its page by now.
      void (leaving ? dialog.accept() : dialog.dismiss()).catch(() => undefined);
    });
    page.on('download', (download) => this.#note(`a download was refused: ${download.suggestedFilename()}`));
    page.on('crash', () => this.#note('the page crashed'));
    page.on('console', (message) => this.#line(consoleLine(message)));
    page.on('pageerror', (error) =>
      this.#line({ level: 'error', text: error.message.slice(0, LINE_CHARS), where: '' }),
    );
    page.on('close', () => {
      if (this.#page !== page) return;
      this.#page = undefined;
      this.#note('the tab closed; the one before it is the current page');
    });
  }

  #lost(doing: string): (thrown: unknown) => void {
    return (thrown) => this.#place.log.warn('browser.failed', { doing, thrown });
  }

  #note(text: string): void {
    if (this.#notes.length < MOST_NOTES) this.#notes.push(text);
  }

  #line(line: ConsoleLine): void {
    this.#lines.push(line);
    if (this.#lines.length > MOST_LINES) this.#lines.shift();
  }
}

function consoleLine(message: ConsoleMessage): ConsoleLine {
  const { url, line } = message.location();
  return {
    level: message.type(),
    text: message.text().slice(0, LINE_CHARS),
    where: url ? `${url.slice(0, 200)}:${line + 1}` : '',
  };
}
