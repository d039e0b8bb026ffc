import { redact } from '#kit/redact';

export type Attributes = Readonly<Record<string, unknown>>;

const MOST = 32;
const LONGEST = 300;
const STATUS = [
  'http.response.status_code',
  'http.status_code',
  'rpc.grpc.status_code',
  'rpc.response.status_code',
  'error.type',
];

/** Texts, numbers and truth values, not too many and not too long; keys that stand in them are blotted out. */
export const boundedAttributes = (attributes: Attributes): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
      .slice(0, MOST)
      .map(([key, value]) => [key, typeof value === 'string' ? redact(value).slice(0, LONGEST) : value]),
  );

/** How a span ended, in the words of its protocol. */
export function statusOf(attributes: Attributes): string | number | undefined {
  const found = STATUS.map((name) => attributes[name]).find((value) => value !== undefined && value !== '');
  if (typeof found === 'number') return found;
  if (typeof found !== 'string') return undefined;
  return /^\d{1,3}$/.test(found) ? Number(found) : found;
}

/** Tracers that set no error flag still tell the code. */
export const isServerError = (status: string | number | undefined): boolean =>
  typeof status === 'number' && status >= 500 && status < 600;
