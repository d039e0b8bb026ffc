import type { Page } from 'playwright-core';
import type { z } from 'zod';
import {
  type Deed,
  defineTool,
  type EffectLevel,
  type Tool,
  type ToolContext,
  type ToolResult,
} from '#spec/ports';
import { refusal } from '../text/answer.ts';
import { BrowserSession } from './browser-session.ts';
import { findChromium, isMissing } from './find-chromium.ts';

interface BrowserToolParts<Input> {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly level: EffectLevel;
  /** Besides that it brings words of strangers. */
  readonly deed?: (input: Input) => Deed;
  readonly maxChars?: number;
  act(input: Input, page: Page, session: BrowserSession, context: ToolContext): Promise<ToolResult>;
}

/** What all tools of the browser have in common: one browser a conversation, one action at a time. */
export const defineBrowserTool = <Input>(parts: BrowserToolParts<Input>): Tool =>
  defineTool<Input>({
    name: parts.name,
    toolset: 'browser',
    description: parts.description,
    input: parts.input,
    deferred: true,
    ...(parts.maxChars === undefined ? {} : { maxChars: parts.maxChars }),
    effect: () => parts.level,
    footprint: () => ({ writes: ['browser:page'] }),
    deed: (input) => ({ brings: ['untrusted'], ...parts.deed?.(input) }),
    missing: (place) => {
      const found = findChromium(place);
      return isMissing(found) ? found : undefined;
    },
    async run(input, context) {
      const session = await context.hold('browser', async () => new BrowserSession(context));
      try {
        return await parts.act(input, await session.page(), session, context);
      } catch (error) {
        if (!(error instanceof Error) || !isPlaywrightError(error)) throw error;
        return refusal([plainMessage(error), ...session.takeNotes().map((note) => `[${note}]`)].join('\n'));
      }
    },
  });

const isPlaywrightError = (error: Error): boolean =>
  error.name === 'TimeoutError' ||
  /^(?:page|locator|browserContext|keyboard|mouse|frame)\./.test(error.message);

/** The first line, without colours and without the log of attempts that follows it. */
function plainMessage(error: Error): string {
  // oxlint-disable-next-line no-control-regex
  const text = error.message.replaceAll(/\x1b\[\d+m/g, '');
  const first = text.split('\n', 1)[0] ?? '';
  const covered = /<[^>]{1,200}>[^\n]{0,200}intercepts pointer events/.exec(text)?.[0];
  return covered ? `${first} (${covered})` : first;
}
