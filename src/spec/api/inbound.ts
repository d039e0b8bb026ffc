import { z } from 'zod';
import { type Contract, defineContracts } from './contract.ts';

const MOST_OTLP = 4_000_000;
const MOST_WEBHOOK = 4 * 1024 * 1024;

/** What was not taken; empty where all of it was. */
const partial = (rejected: string) =>
  z.object({
    partialSuccess: z.object({ [rejected]: z.string(), errorMessage: z.string() }).optional(),
  });

const otlp = {
  method: 'POST',
  access: 'write',
  maxBytes: MOST_OTLP,
  takes: ['application/json', 'application/x-protobuf'],
  files: ['application/x-protobuf'],
} as const;

/** The receiver of OTLP over HTTP, in JSON or protocol buffers, zipped or not. It answers in the form it was asked in. */
export const OTLP = defineContracts({
  metrics: {
    ...otlp,
    path: '/v1/metrics',
    summary: 'Metrics of OpenTelemetry',
    answer: partial('rejectedDataPoints'),
  },
  logs: {
    ...otlp,
    path: '/v1/logs',
    summary: 'Logs of OpenTelemetry',
    answer: partial('rejectedLogRecords'),
  },
  traces: {
    ...otlp,
    path: '/v1/traces',
    summary: 'Spans of OpenTelemetry',
    answer: partial('rejectedSpans'),
  },
});

/** What a platform sends to. Each has a form of its own, and is answered as it wants to be. */
export const webhookContract = (way: {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly auth: 'token' | 'signed';
}) =>
  ({
    method: way.method,
    path: way.path,
    access: way.auth === 'token' ? 'write' : 'signed',
    maxBytes: MOST_WEBHOOK,
    summary: `What ${way.name} sends`,
    ...(way.method === 'GET'
      ? {}
      : { takes: ['application/json', 'application/x-www-form-urlencoded', 'text/xml'] }),
    answer: z.looseObject({}),
    files: ['text/plain', 'application/xml', 'text/xml'],
  }) satisfies Contract;
