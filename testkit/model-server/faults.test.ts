import { PROTOCOL_IDS, type ProtocolId } from '#spec/data';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { countFrames, RAW_REQUESTS, rawAnswer, rawCall, readFrames } from '#support/testkit/raw-call';
import { createFaultPlan, parseFault } from './faults.ts';
import { type ModelServer, startModelServer } from './model-server.ts';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer({
    script: { rules: [], fallback: { thinking: 'a thought', text: 'an answer of several deltas' } },
  });
});
afterEach(() => server.close());

const TYPES: Record<ProtocolId, string> = {
  chat_completions: 'text/event-stream; charset=utf-8',
  codex_responses: 'text/event-stream; charset=utf-8',
  anthropic_messages: 'text/event-stream; charset=utf-8',
  bedrock_converse: 'application/vnd.amazon.eventstream',
};
const LAST: Record<ProtocolId, string> = {
  chat_completions: '[DONE]',
  codex_responses: 'response.completed',
  anthropic_messages: 'message_stop',
  bedrock_converse: 'metadata',
};

const faulted = (protocol: ProtocolId, fault: string) =>
  rawAnswer(server.url, protocol, { headers: { 'x-testkit-fault': fault } });

const lastOf = (protocol: ProtocolId, bytes: Buffer) => {
  const { event, data } = readFrames(protocol, bytes).at(-1) ?? { event: '', data: '' };
  return event || data;
};

describe.each(PROTOCOL_IDS)('faults over %s', (protocol) => {
  it('none lets the request through, and the response is whole', async () => {
    const { status, headers, bytes } = await faulted(protocol, 'none');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe(TYPES[protocol]);
    expect(lastOf(protocol, bytes)).toBe(LAST[protocol]);
  });

  it('cut destroys the connection after the given frames', async () => {
    const { status, bytes, cut } = await faulted(protocol, 'cut;afterFrames=3');
    expect({ status, cut, frames: countFrames(protocol, bytes) }).toEqual({
      status: 200,
      cut: true,
      frames: 3,
    });
    expect(server.requests[0]?.aborted).toBe(false);
  });

  it('cut without frames still sends the head', async () => {
    const { status, bytes, cut } = await faulted(protocol, 'cut;afterFrames=0');
    expect({ status, cut, size: bytes.length }).toEqual({ status: 200, cut: true, size: 0 });
  });

  it.each(['end_early', 'end_early;afterFrames=3', 'end_early;afterFrames=9999'])(
    '%s ends cleanly without the terminal event',
    async (fault) => {
      const { bytes, cut } = await faulted(protocol, fault);
      expect(cut).toBe(false);
      expect(countFrames(protocol, bytes)).toBeGreaterThan(2);
      expect(lastOf(protocol, bytes)).not.toBe(LAST[protocol]);
    },
  );

  it('stall sends the given frames and keeps the connection open until the client leaves', async () => {
    server.plan([{ kind: 'stall', afterFrames: 2, times: 1 }]);
    const stalled = rawCall(server.url, protocol);
    await stalled.frames(2);
    expect((await rawAnswer(server.url, protocol)).status).toBe(200);
    expect(stalled.isOver()).toBe(false);
    stalled.abandon();
    await vi.waitFor(() => expect(server.requests[0]?.aborted).toBe(true));
    expect(countFrames(protocol, (await stalled.over).bytes)).toBe(2);
  });

  it('stall_headers never answers', async () => {
    server.plan([{ kind: 'stall_headers', times: 1 }]);
    const stalled = rawCall(server.url, protocol);
    await vi.waitFor(() => expect(server.requests).toHaveLength(1));
    expect((await rawAnswer(server.url, protocol)).status).toBe(200);
    expect(stalled.isOver()).toBe(false);
    stalled.abandon();
    await expect(stalled.head).rejects.toThrow(/socket hang up|aborted/);
  });

  it('slow_first_byte holds even the head back, and then answers whole', async () => {
    const began = performance.now();
    const call = rawCall(server.url, protocol, { headers: { 'x-testkit-fault': 'slow_first_byte;ms=40' } });
    await call.head;
    expect(performance.now() - began).toBeGreaterThan(38);
    expect(lastOf(protocol, (await call.over).bytes)).toBe(LAST[protocol]);
  });

  it('dribble sends the whole response in parts', async () => {
    server.script({ rules: [], fallback: { text: '支付失败🙂' } });
    const { bytes, cut } = await faulted(protocol, 'dribble;bytes=7');
    expect(cut).toBe(false);
    expect(lastOf(protocol, bytes)).toBe(LAST[protocol]);
    expect(bytes.toString()).toContain('支付失败🙂');
  });

  it('bad_json sends one payload that is not JSON in the place of the right one', async () => {
    const { bytes } = await faulted(protocol, 'bad_json;afterFrames=2');
    const frames = readFrames(protocol, bytes);
    const broken = frames.flatMap(({ data }, index) => (isJson(data) || data === '[DONE]' ? [] : [index]));
    expect(broken).toEqual([2]);
  });

  it('bad_frame damages the bytes of a frame', async () => {
    const { bytes } = await faulted(protocol, 'bad_frame;afterFrames=2');
    expect(() => readFrames(protocol, bytes)).toThrow(/checksum|not valid/);
  });

  it('bad_type answers with a page', async () => {
    const { status, headers, text } = await faulted(protocol, 'bad_type');
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
    });
    expect(text).toMatch(/^<!doctype html>/);
  });

  it('error_in_stream ends with the own error event of the vendor', async () => {
    const { status, bytes, cut } = await faulted(protocol, 'error_in_stream;afterFrames=3');
    const frames = readFrames(protocol, bytes);
    expect({ status, cut, frames: frames.length }).toEqual({ status: 200, cut: false, frames: 4 });
    const { event, data } = frames.at(-1) ?? { event: '', data: '' };
    const names = { codex_responses: 'response.failed', anthropic_messages: 'error', chat_completions: '' };
    expect(event).toBe({ ...names, bedrock_converse: 'serviceUnavailableException' }[protocol]);
    expect(data).toMatch(/overloaded|Too many connections/i);
  });

  it('empty has the right type and no event', async () => {
    const { status, headers, bytes, cut } = await faulted(protocol, 'empty');
    expect({ status, cut, size: bytes.length }).toEqual({ status: 200, cut: false, size: 0 });
    expect(headers['content-type']).toBe(TYPES[protocol]);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    return !(error instanceof SyntaxError);
  }
}

describe('other shapes of a fault', () => {
  it('the Responses API has a plain error event too', async () => {
    const { bytes } = await faulted(
      'codex_responses',
      'error_in_stream;afterFrames=2;plain;error=rate_limit',
    );
    const last = readFrames('codex_responses', bytes).at(-1);
    expect(last?.event).toBe('error');
    expect(JSON.parse(last?.data ?? '')).toMatchObject({ code: 'rate_limit_exceeded', sequence_number: 2 });
  });

  it('strikes responses that are not streamed', async () => {
    const body = { ...RAW_REQUESTS.chat_completions.body, stream: false };
    const ask = (fault: string) =>
      rawAnswer(server.url, 'chat_completions', { body, headers: { 'x-testkit-fault': fault } });
    expect(await ask('cut')).toMatchObject({ status: 200, cut: true });
    expect(isJson((await ask('bad_json')).text)).toBe(false);
    expect(await ask('empty')).toMatchObject({ status: 200, text: '' });
    expect((await ask('error_in_stream')).status).toBe(503);
  });
});

const statuses = async (count: number, headers: Record<string, string> = {}) => {
  const seen: number[] = [];
  for (let i = 0; i < count; i++)
    seen.push((await rawAnswer(server.url, 'chat_completions', { headers })).status);
  return seen;
};

describe('where faults come from', () => {
  it('a plan is worked off in order and then over', async () => {
    server.plan([
      { kind: 'rate_limit', times: 2 },
      { kind: 'none', times: 1 },
      { kind: 'server_error', status: 502, times: 1 },
    ]);
    expect(await statuses(5)).toEqual([429, 429, 200, 502, 200]);
  });

  it('a step for one key leaves the others alone', async () => {
    server.plan([{ kind: 'auth', key: 'bad' }]);
    expect(await statuses(2, { authorization: 'Bearer bad' })).toEqual([401, 401]);
    expect(await statuses(1, { authorization: 'Bearer good' })).toEqual([200]);
    server.plan([]);
    expect(await statuses(1, { authorization: 'Bearer bad' })).toEqual([200]);
  });

  it('the header comes before the plan, and the plan before the rule', async () => {
    server.script({ rules: [{ when: {}, reply: { text: 'x' }, fault: { kind: 'forbidden', times: 1 } }] });
    server.plan([{ kind: 'overloaded', times: 1 }]);
    expect(await statuses(1, { 'x-testkit-fault': 'not_found' })).toEqual([404]);
    expect(await statuses(3)).toEqual([503, 403, 200]);
  });

  it('a plan with a step that can never be reached is refused', () => {
    expect(() => createFaultPlan([{ kind: 'auth' }, { kind: 'cut', times: 1 }])).toThrow(
      /plan\[1\] is never reached/,
    );
  });

  it.each([
    ['rate_limits', /fault\.kind/],
    ['cut;afterframes=2', /fault\.afterframes is not known; did you mean `afterFrames`/],
    ['cut;ms=2', /fault\.ms: is not a setting of cut/],
    ['server_error;status=404', /fault\.status: must be 500 or more/],
  ])('a header that says %s is refused', async (header, expected) => {
    expect(() => parseFault(header)).toThrow(expected);
    expect(await faulted('anthropic_messages', header)).toMatchObject({
      status: 400,
      text: expect.stringMatching(expected),
    });
  });
});
