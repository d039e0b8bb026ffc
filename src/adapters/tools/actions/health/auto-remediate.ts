import { tell } from '#kit/text';
import { z } from 'zod';
import type { Language } from '#kit/language';
import { sleep } from '#kit/sleep';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { AnomalyItem } from './anomalies.ts';
import { textOf } from '../call-shell.ts';
import { listIn, stringIn } from '../loose.ts';
import { languageFor, LanguageChoice } from '../said.ts';
import { type Strategy, strategiesIn, strategyFor } from './strategies.ts';
import { isRecord } from '#kit/is-record';
import { answer, count } from '../../text/answer.ts';

const input = z.strictObject({
  anomalies: z.unknown().describe('items of analyze_anomalies'),
  strategies: z
    .unknown()
    .optional()
    .describe('remedies: [{match, command | action, args}] or {name: command}'),
  max_attempts: z.int().min(1).max(5).default(1),
  settle_seconds: z.number().min(0).max(120).default(3).describe('wait before looking again'),
  dry_run: z.boolean().default(false),
  language: LanguageChoice,
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'auto_remediate',
  toolset: 'actions',
  description:
    'Try the known remedy for each anomaly and look whether it helped. Each command is asked about as if it were called alone.',
  input,
  deferred: true,
  effect: ({ strategies, dry_run }) => (dry_run || strategiesIn(strategies).length === 0 ? 0 : 2),
  footprint: () => undefined,
  run: remediate,
});

interface Outcome {
  readonly name: string;
  readonly strategy: string | undefined;
  readonly attempts: number;
  readonly success: boolean;
  /** Whether it was looked at afterwards. */
  readonly verified: boolean;
  readonly message: string;
}

async function remediate(asked: Input, context: ToolContext): Promise<ToolResult> {
  const items = listIn(asked.anomalies, 'critical', 'items').flatMap((entry) => {
    const parsed = AnomalyItem.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
  const language = languageFor(asked.language ?? context.language, items);
  const strategies = strategiesIn(asked.strategies);
  const outcomes: Outcome[] = [];
  const actions: string[] = [];
  for (const item of items) {
    if (context.signal.aborted) break;
    outcomes.push(await mend(item, strategyFor(item, strategies), asked, actions, language, context));
  }
  const unknown = outcomes.filter(({ strategy }) => strategy === undefined).map(({ name }) => name);
  const mended = outcomes.filter(({ success }) => success).length;
  const success = items.length > 0 && mended === items.length && !asked.dry_run;
  const summary = tell(
    `${mended} of ${count(items.length, 'anomaly', 'anomalies')} mended${unknown.length > 0 ? `, no remedy known for ${unknown.join(', ')}` : ''}`,
    `${items.length} 个异常中修复了 ${mended} 个${unknown.length > 0 ? `,没有已知的修复策略:${unknown.join('、')}` : ''}`,
  )[language];
  const lines = outcomes.map(({ name, message }) => `${name}: ${message}`);
  return answer([summary, ...lines].join('\n'), summary, {
    success,
    actions,
    attempts: outcomes.reduce((sum, outcome) => sum + outcome.attempts, 0),
    results: outcomes,
    unknown,
    dry_run: asked.dry_run,
    summary,
  });
}

async function mend(
  item: AnomalyItem,
  strategy: Strategy | undefined,
  { max_attempts, settle_seconds, dry_run }: Input,
  actions: string[],
  language: Language,
  context: ToolContext,
): Promise<Outcome> {
  const { name } = item;
  const label = strategy && (strategy.name ?? strategy.command ?? strategy.action ?? '');
  const failed = (attempts: number, message: string): Outcome => ({
    name,
    strategy: label,
    attempts,
    success: false,
    verified: attempts > 0,
    message,
  });
  if (!strategy) return failed(0, tell('no remedy is known', '没有已知的修复策略')[language]);
  if (dry_run) return failed(0, tell(`would do: ${label}`, `将执行:${label}`)[language]);
  let message = '';
  let attempts = 0;
  while (attempts < max_attempts) {
    const result = await applied(strategy, context);
    message = textOf(result).slice(0, 300);
    // What was not allowed will not be allowed a moment later.
    if (result.isError && message.startsWith('Not allowed')) return failed(attempts, message);
    attempts++;
    actions.push(`${name}: ${label}`);
    if (result.isError) continue;
    if (!(await sleep(settle_seconds * 1_000, context.signal))) break;
    const after = await lookAgain(item, language, context);
    message = after.message;
    if (after.ok)
      return { name, strategy: label, attempts, success: true, verified: after.verified, message };
  }
  return failed(attempts, message);
}

const applied = ({ command, action, args }: Strategy, { callTool }: ToolContext): Promise<ToolResult> =>
  command === undefined ? callTool(action ?? '', args) : callTool('terminal', { command });

/** Where nothing can be asked again, a remedy that ran is taken for one that helped. */
async function lookAgain({ endpoint }: AnomalyItem, language: Language, { callTool }: ToolContext) {
  if (endpoint === undefined)
    return { ok: true, verified: false, message: tell('done, not checked', '已执行，未复查')[language] };
  const result = await callTool('parallel_health_check', { endpoints: [endpoint] });
  const [first] = listIn(result.data, 'results');
  if (!isRecord(first)) return { ok: false, verified: false, message: textOf(result).slice(0, 300) };
  return { ok: first.ok === true, verified: true, message: stringIn(first, 'message') ?? '' };
}
