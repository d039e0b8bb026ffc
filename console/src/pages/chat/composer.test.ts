import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { LanguageProvider } from '../../domains/language/language.tsx';
import { Composer } from './composer.tsx';
import { keepDraft } from './drafts.ts';
import type { Say } from './use-say.ts';

const say: Say = { send: async () => undefined, stop: () => undefined, busy: false, error: null };

/** As it is before the server has said anything of the conversation. */
const shown = (session: string | undefined): string => {
  const composer = createElement(Composer, {
    input: { current: null },
    say,
    session,
    state: undefined,
    disabled: false,
  });
  const language = createElement(LanguageProvider, null, composer);
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, language));
};

it('what was not sent stays with its conversation', () => {
  keepDraft('ses_one', 'half a sentence');
  keepDraft(undefined, 'a new thought');
  expect(shown('ses_one')).toContain('half a sentence');
  expect(shown(undefined)).toContain('a new thought');
  expect(shown('ses_two')).not.toMatch(/half a sentence|a new thought/);
});
