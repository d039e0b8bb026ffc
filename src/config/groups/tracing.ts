import { z } from 'zod';
import { fieldDocs } from '../field-docs.ts';

/** Traces of what Hermes does. The variables of OpenTelemetry come before these. */
export const tracing = z.strictObject({
  endpoint: z
    .url({ protocol: /^https?$/ })
    .optional()
    .register(fieldDocs, {
      en: 'Receiver of OTLP over HTTP for traces of Hermes itself, such as http://127.0.0.1:4318; off without one',
      zh: '接收 Hermes 自身链路追踪的 OTLP/HTTP 地址;未设置则关闭',
    }),
  service: z.string().min(1).default('hermes').register(fieldDocs, {
    en: 'The name of the service in these traces',
    zh: '追踪中的服务名',
  }),
  ratio: z.number().min(0).max(1).default(1).register(fieldDocs, {
    en: 'The share of traces that is sent',
    zh: '采样比例',
  }),
});
