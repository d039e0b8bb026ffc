import { z } from 'zod';
import { defineContracts } from './contract.ts';

const Status = z.object({ status: z.enum(['ok', 'unavailable']) });

/** What the server tells of itself. */
export const SERVER = defineContracts({
  alive: {
    method: 'GET',
    path: '/healthz',
    access: 'public',
    summary: 'Whether it is alive',
    answer: Status,
  },
  ready: {
    method: 'GET',
    path: '/readyz',
    access: 'public',
    summary: 'Whether it takes requests; 503 while it does not',
    answer: Status,
  },
  readyDetails: {
    method: 'GET',
    path: '/readyz/details',
    access: 'read',
    summary: 'The same, with what is not ready',
    answer: Status.extend({ details: z.record(z.string(), z.unknown()) }),
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    access: 'read',
    summary: 'Its numbers, as Prometheus reads them',
    files: ['text/plain'],
  },
  openapi: {
    method: 'GET',
    path: '/api/openapi.json',
    access: 'read',
    summary: 'This description, where the configuration has it on',
    answer: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
  },
});
