import { tell } from '#kit/text';
import { AppError } from '#kit/app-error';
import type { Language } from '#kit/language';
import type { ToolContext, WebAnswer } from '#spec/ports';
import { connectionFacts } from '../../ops/connection-facts.ts';
import { textOf } from '../call-shell.ts';
import { type Endpoint, endpointName, endpointTarget, type HealthResult } from '../endpoint.ts';
import { connectionWords } from '../machine/connection-words.ts';
import { listIn, numberIn, stringIn } from '../loose.ts';

const MOST_BYTES = 1024 * 1024;
const DAY_MS = 86_400_000;
const FEW_DAYS = 14;

type Found = Pick<HealthResult, 'state' | 'ms' | 'status' | 'message' | 'days_left'>;

/** Asks one endpoint. What is down is a finding, no failure. */
export async function checkEndpoint(
  endpoint: Endpoint,
  language: Language,
  context: ToolContext,
): Promise<HealthResult> {
  const found = await foundAt(endpoint, language, context);
  const expected = endpoint.expected.response_time_ms;
  return {
    name: endpointName(endpoint),
    type: kindOfEndpoint(endpoint),
    target: endpointTarget(endpoint),
    ok: found.state === 'up',
    ...found,
    ...(endpoint.severity === undefined ? {} : { severity: endpoint.severity }),
    ...(expected === undefined ? {} : { expected_ms: expected }),
    endpoint,
  };
}

export const kindOfEndpoint = ({ type, url, host }: Endpoint): 'http' | 'tcp' | 'container' => {
  if (type === 'docker' || type === 'container') return 'container';
  if (type === 'tcp' || (url === undefined && host !== undefined)) return 'tcp';
  return 'http';
};

function foundAt(endpoint: Endpoint, language: Language, context: ToolContext): Promise<Found> {
  switch (kindOfEndpoint(endpoint)) {
    case 'http':
      return overHttp(endpoint, language, context);
    case 'tcp':
      return overTcp(endpoint, language, context);
    case 'container':
      return ofContainer(endpoint, language, context);
  }
}

async function overHttp(
  endpoint: Endpoint,
  language: Language,
  { web, signal }: ToolContext,
): Promise<Found> {
  const { url = '', method, headers, body, timeout } = endpoint;
  const begun = performance.now();
  try {
    const answer = await web.fetch(
      {
        url,
        method,
        ...(headers === undefined ? {} : { headers }),
        ...(body === undefined ? {} : { body }),
        maxBytes: MOST_BYTES,
        timeoutMs: timeout * 1_000,
      },
      signal,
    );
    return judged(endpoint, answer, language);
  } catch (error) {
    if (!(error instanceof AppError) || signal.aborted) throw error;
    const message = connectionWords(error.record, endpointTarget(endpoint), language);
    // A refusal of ours says nothing about the service.
    if (error.record.code === 'tool.refused') return { state: 'unknown', message };
    return { state: 'down', ms: Math.round(performance.now() - begun), message };
  }
}

function judged({ expected, expected_status }: Endpoint, answer: WebAnswer, language: Language): Found {
  const { status } = answer;
  const ms = Math.round(answer.ms);
  const wanted = [expected.status ?? expected_status ?? []].flat();
  const fits = wanted.length > 0 ? wanted.includes(status) : status < 400;
  const validTo = connectionFacts(answer)?.tls?.validTo;
  const days = validTo === undefined ? undefined : Math.floor((Date.parse(validTo) - Date.now()) / DAY_MS);
  const base = { ms, status, ...(days === undefined ? {} : { days_left: days }) };
  if (!fits) {
    const should = wanted.join('/') || '<400';
    const message = tell(`status ${status}, expected ${should}`, `状态码 ${status},期望 ${should}`)[language];
    return { ...base, state: status >= 500 ? 'down' : 'degraded', message };
  }
  if (
    expected.body_contains !== undefined &&
    !new TextDecoder().decode(answer.body).includes(expected.body_contains)
  ) {
    const message = tell('the expected text is not in the answer', '响应中没有期望的内容')[language];
    return { ...base, state: 'degraded', message };
  }
  const most = expected.response_time_ms;
  if (most !== undefined && ms > most)
    return {
      ...base,
      state: 'slow',
      message: tell(`${ms} ms, expected ${most} ms`, `耗时 ${ms} ms,期望 ${most} ms`)[language],
    };
  if (days !== undefined && days < FEW_DAYS)
    return {
      ...base,
      state: 'degraded',
      message: tell(`the certificate ends in ${days} days`, `证书将在 ${days} 天后到期`)[language],
    };
  return {
    ...base,
    state: 'up',
    message: tell(`status ${status} in ${ms} ms`, `状态码 ${status},耗时 ${ms} ms`)[language],
  };
}

/** Through the action that the gate judges by itself. */
async function overTcp(
  { host, port, timeout, backend, expected }: Endpoint,
  language: Language,
  { callTool }: ToolContext,
): Promise<Found> {
  const result = await callTool('tcp_check', {
    host,
    port,
    timeout,
    ...(backend === undefined ? {} : { backend }),
  });
  const state = stringIn(result.data, 'state');
  const ms = numberIn(result.data, 'ms');
  if (state === undefined) return { state: 'unknown', message: textOf(result).slice(0, 300) };
  if (state === 'up') {
    const most = expected.response_time_ms;
    const slow = most !== undefined && ms !== undefined && ms > most;
    const message = tell(`the port is open (${ms} ms)`, `端口可达(${ms} ms)`)[language];
    return { state: slow ? 'slow' : 'up', ms, message };
  }
  const message = stringIn(result.data, 'message') ?? '';
  return { state: state === 'unknown' ? 'unknown' : 'down', ms, message };
}

async function ofContainer(
  { container, name, backend }: Endpoint,
  language: Language,
  { callTool }: ToolContext,
): Promise<Found> {
  const wanted = container ?? name ?? '';
  const result = await callTool('container_list', {
    name: wanted,
    ...(backend === undefined ? {} : { backend }),
  });
  if (result.isError) return { state: 'unknown', message: textOf(result).slice(0, 300) };
  const found = listIn(result.data, 'containers').find((entry) => stringIn(entry, 'name') === wanted);
  if (!found) return { state: 'down', message: tell('there is no such container', '没有这个容器')[language] };
  const status = stringIn(found, 'status') ?? '';
  if (stringIn(found, 'state') !== 'running') return { state: 'down', message: status };
  return { state: /unhealthy/.test(status) ? 'degraded' : 'up', message: status };
}
