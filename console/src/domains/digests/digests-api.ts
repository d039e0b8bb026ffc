import { queryOptions } from '@tanstack/react-query';
import { request, withQuery } from '../api/request.ts';
import type { Digest } from './digest.ts';

export interface DigestSpan {
  readonly from: number;
  readonly to: number;
}

const ADDRESS = '/api/digests';
const AGAIN_MS = 15_000;
/** Days are those of whoever looks. */
const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const digestQuery = ({ from, to }: DigestSpan) =>
  queryOptions({
    queryKey: ['digests', from, to],
    queryFn: ({ signal }) => request<Digest>(ADDRESS, { signal, query: { from, to, zone: zone() } }),
    // What is over does not change any more.
    refetchInterval: () => (to > Date.now() ? AGAIN_MS : false),
  });

export const digestMarkdownAddress = ({ from, to }: DigestSpan, language: string): string =>
  withQuery(ADDRESS, { from, to, zone: zone(), format: 'md', language });
