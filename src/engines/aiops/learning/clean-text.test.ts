import { expect, it } from 'vitest';
import { openSieve } from './clean-text.ts';

const line = (text: string) => openSieve('en', []).line(text);

it.each([
  ['asked by jo.doe+oncall@mail.example.com', 'asked by <mail>'],
  ['asked by ops@Example.COM, again', 'asked by <mail>, again'],
])('leaves people out: %s', (text, kept) => {
  expect(line(text)).toBe(kept);
});

it('keeps the names of signals, which carry a version behind the @', () => {
  const names = 'error_ratio@v2.3.1, latency_p95_ms@2026.11.1, requests@order-service';
  expect(line(names)).toBe(names);
});
