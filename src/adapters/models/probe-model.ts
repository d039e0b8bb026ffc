import { tell } from '#kit/text';
import { AppError, fail } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import type { Probed } from '#spec/data';
import type { Credential, Provider } from '#spec/ports';
import { type ListTrouble, listModels } from './list-models.ts';

type Env = Readonly<Record<string, string | undefined>>;

interface ProbedModel {
  readonly provider: Provider;
  readonly baseUrl: string;
  readonly model: string;
  readonly credential: Credential | undefined;
}

/** The list is there for whoever has no right to it, or there is none: nothing is proved. */
const NO_LIST = new Set([404, 405, 501]);

/**
 * Whether address and key work, found out by the list of models: a completion would cost something. Rejects with an
 * `AppError` when they do not.
 */
export async function probeModel(
  { provider, baseUrl, model, credential }: ProbedModel,
  env: Env,
  signal: AbortSignal,
): Promise<Probed> {
  const { label } = provider;
  if (provider.auth === 'aws')
    return {
      state: 'not_probed',
      because: tell(
        `${label} has no list of models that could be asked for nothing.`,
        `${label} 没有可免费查询的模型列表。`,
      ),
    };
  let trouble: ListTrouble | undefined;
  const listed = await listModels(provider, baseUrl, credential, env, signal, (one) => (trouble = one));
  if (listed) {
    const known =
      listed.length === 0 || !model || listed.some(({ id }) => id === model || id.endsWith(`/${model}`));
    return {
      state: 'reached',
      ...(known ? {} : { detail: tell(`it does not list ${model}`, `其列表中没有 ${model}`) }),
    };
  }
  signal.throwIfAborted();
  const { host } = new URL(baseUrl);
  if (!trouble || ('status' in trouble && NO_LIST.has(trouble.status)))
    return {
      state: 'not_probed',
      because: tell(
        `${label} answers at ${host}, and does not list its models.`,
        `${label}(${host})有应答,但不列出模型。`,
      ),
    };
  throw 'status' in trouble
    ? refusal(label, trouble.status, credential)
    : unreachable(label, host, trouble.thrown);
}

function refusal(label: string, status: number, credential: Credential | undefined): AppError {
  if (status === 401 || status === 403)
    return fail(
      'model.auth',
      `${label} refuses (${status}).`,
      credential ? `Check the key ${credential.label}.` : 'Set a key: hermes config set llm.api_key <key>',
    );
  return fail('model.server', `${label} answered ${status}.`);
}

function unreachable(label: string, host: string, thrown: unknown): AppError {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  const code = isRecord(cause) && typeof cause['code'] === 'string' ? ` (${cause['code']})` : '';
  if (thrown instanceof SyntaxError)
    return fail(
      'model.bad_response',
      `${label} answered with something that is no JSON.`,
      'Check llm.base_url.',
    );
  return new AppError(
    {
      code: 'model.network',
      message: `${label} cannot be reached at ${host}${code}.`,
      hint: 'Check llm.base_url, and whether it runs.',
      retry: { again: true },
    },
    { cause: thrown },
  );
}
