import { z } from 'zod';
import { dropHidden } from '#kit/hidden-characters';
import { tell } from '#kit/text';
import { defineTool, type ToolContext, type ToolPlace, type ToolResult } from '#spec/ports';
import { hideSecrets, showsSecretObject } from './hide-secrets.ts';
import { judgeKubectl } from './judge-kubectl.ts';
import { type ProgramEnd, runProgram } from './run-program.ts';
import { answer, count, refusal } from '../../text/answer.ts';

const MOST_BYTES = 2 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
/** What kubectl and the helpers that a kubeconfig may name for logging in need of the environment. */
const PASSED = [
  'PATH',
  'HOME',
  'KUBECONFIG',
  'AWS_PROFILE',
  'AWS_REGION',
  'CLOUDSDK_CONFIG',
  'AZURE_CONFIG_DIR',
  'HTTPS_PROXY',
  'NO_PROXY',
];

const input = z.strictObject({
  args: z
    .array(
      z
        .string()
        .min(1)
        .max(1_000)
        .regex(/^[^\0]*$/),
    )
    .min(1)
    .max(40)
    .describe('arguments of kubectl, one each'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'kubernetes',
  toolset: 'ops',
  description:
    'kubectl: get, describe, logs, top, events, rollout status/history; changes (scale, rollout restart/undo, delete pod, cordon) are asked about.',
  input,
  deferred: true,
  effect: ({ args }) => (judgeKubectl(args).kind === 'change' ? 3 : 0),
  footprint: ({ args }) =>
    judgeKubectl(args).kind === 'change' ? { writes: ['kubernetes'] } : { reads: ['kubernetes'] },
  deed: ({ args }) => {
    const plan = judgeKubectl(args);
    if (plan.kind === 'refused') return { refuse: plan.reason };
    const sendsTo = [plan.context ? `kubernetes (${plan.context})` : 'kubernetes'];
    return plan.kind === 'change'
      ? {
          sendsTo,
          confirm: tell(
            `kubectl ${plan.args.join(' ')} changes the cluster.`,
            `kubectl ${plan.args.join(' ')} 会更改集群。`,
          ),
        }
      : { sendsTo, brings: ['untrusted', 'private'] };
  },
  missing: (place) =>
    place.program('kubectl')
      ? undefined
      : {
          what: 'kubectl is not installed.',
          fix: 'Install kubectl, and name its configuration in KUBECONFIG if it is not ~/.kube/config.',
        },
  run: kubectl,
});

async function kubectl({ args }: Input, context: ToolContext): Promise<ToolResult> {
  const plan = judgeKubectl(args);
  if (plan.kind === 'refused') return refusal(plan.reason);
  const program = context.program('kubectl');
  if (!program) return refusal('kubectl is not installed.');
  const end = await runProgram(
    { program, args: plan.args, env: environment(context), timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES },
    context.signal,
  );
  return report(plan.args, end);
}

const environment = (place: ToolPlace): Record<string, string> =>
  Object.fromEntries(PASSED.map((name) => [name, place.key(name)]).filter((pair) => pair[1] !== undefined));

function report(args: readonly string[], { code, stdout, stderr, stopped }: ProgramEnd): ToolResult {
  if (args[0] === 'get' && showsSecretObject(stdout))
    return refusal('The answer holds a Secret, whose data is never shown.');
  const said = dropHidden(hideSecrets(stdout)).trimEnd();
  const complaint = hideSecrets(stderr).trim().slice(0, 2_000);
  if (stopped === 'interrupted') return refusal('kubectl was interrupted.');
  if (stopped === 'time')
    return refusal(`kubectl did not end within ${TIMEOUT_MS / 1000} s.\n${complaint}`.trim());
  // `auth can-i` says no with an exit code and without a complaint.
  if (stopped !== 'output' && code !== 0 && (complaint || !said))
    return refusal(complaint || said || `kubectl ended with ${code}.`);
  const cut =
    stopped === 'output'
      ? ['[there is more than can be shown: narrow it by namespace, selector or --tail]']
      : [];
  const lines = said === '' ? 0 : said.split('\n').length;
  const text = [
    said || complaint || 'Nothing was found.',
    ...(said && complaint ? [complaint] : []),
    ...cut,
  ].join('\n');
  return answer(text, `kubectl ${args[0]}: ${count(lines, 'line')}`, { args, code, lines });
}
