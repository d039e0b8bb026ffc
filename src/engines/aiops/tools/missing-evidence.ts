import type { Language } from '#kit/language';
import { say, type Text } from '#kit/text';

type Kind = 'metrics' | 'logs' | 'traces' | 'changes';

const HOW: Readonly<Record<Kind, Text>> = {
  metrics: {
    en: 'metrics: set `PROMETHEUS_BASE_URL` in `.env`, or send OTLP to `hermes serve`',
    zh: '指标:在 `.env` 中设置 `PROMETHEUS_BASE_URL`,或向 `hermes serve` 发送 OTLP',
  },
  logs: {
    en: 'logs: set `LOKI_BASE_URL` in `.env`',
    zh: '日志:在 `.env` 中设置 `LOKI_BASE_URL`',
  },
  traces: {
    en: 'traces: set `TRACE_BASE_URL` in `.env` (`TRACE_PROVIDER_KIND`: jaeger or tempo)',
    zh: '链路:在 `.env` 中设置 `TRACE_BASE_URL`(`TRACE_PROVIDER_KIND`:jaeger 或 tempo)',
  },
  changes: {
    en: 'changes (deploys, commits, configuration): list a source under `telemetry` in `backends.yaml`',
    zh: '变更(发布、提交、配置):在 `backends.yaml` 的 `telemetry` 下配置来源',
  },
};

/** What was not there to look at, each with how it is connected. `missing` is as the diagnosis lists it. */
export function howToConnect(missing: readonly (Text | string)[], language: Language): readonly string[] {
  const absent = (Object.keys(HOW) as Kind[]).filter((kind) =>
    missing.some((line) => say(line, 'en').toLowerCase().startsWith(kind)),
  );
  return absent.map((kind) => `- ${HOW[kind][language]}`);
}
