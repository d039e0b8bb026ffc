import { queryOptions } from '@tanstack/react-query';
import { addressOf, ask } from '../api/ask.ts';
import type { Language } from '#kit/language';

export interface DigestSpan {
  readonly from: number;
  readonly to: number;
}

const AGAIN_MS = 15_000;
/** Days are those of whoever looks. */
const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const digestQuery = ({ from, to }: DigestSpan) =>
  queryOptions({
    queryKey: ['digests', from, to],
    queryFn: ({ signal }) => ask('GET /api/digests', { signal, query: { from, to, zone: zone() } }),
    // What is over does not change any more.
    refetchInterval: () => (to > Date.now() ? AGAIN_MS : false),
  });

export const digestMarkdownAddress = ({ from, to }: DigestSpan, language: Language): string =>
  addressOf('GET /api/digests', { query: { from, to, zone: zone(), format: 'md', language } });
