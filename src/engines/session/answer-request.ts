import { spoken, type Spoken, tell } from '#kit/text';
import { toErrorRecord } from '#kit/app-error';
import type { Approval } from '#spec/data';
import type { Reach } from './approvals-desk.ts';
import type { SlashResult } from './conversation.ts';
import type { CommandScope } from './slash-command.ts';

/** What `/approve` and `/deny` do: decide the request that is named; without a name, show those that wait. */
export async function answerRequest(
  { desk, language }: CommandScope,
  id: string | undefined,
  granted: boolean,
  reach: Reach,
): Promise<SlashResult> {
  if (!id) {
    const waiting = await desk.pending();
    if (!waiting.length) return { text: tell('No request is waiting.', '没有等待批准的请求。')[language] };
    return { text: waiting.map((request) => requestLines(spoken(request, language))).join('\n') };
  }
  try {
    const { action } = await desk.decide(id, granted, reach);
    const done = granted ? tell('Agreed to', '已批准')[language] : tell('Refused', '已拒绝')[language];
    return { text: `${done} \`${id}\`: \`${firstLine(action.shown)}\`` };
  } catch (thrown) {
    const { message, hint } = toErrorRecord(thrown);
    return { text: hint ? `${message} (${hint})` : message };
  }
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').replaceAll('`', "'");

function requestLines({ id, action, reasons }: Spoken<Approval>): string {
  return [`- \`${id}\` \`${firstLine(action.shown)}\``, ...reasons.map((reason) => `  - ${reason}`)].join(
    '\n',
  );
}
