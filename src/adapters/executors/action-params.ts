import { fail } from '#kit/app-error';
import { redact } from '#kit/redact';
import { tell, type Text } from '#kit/text';
import type { Operation, ProposedAction } from '#spec/data';
import { nothingDone } from '#adapters/io/before-effect';
import { hideValue } from '#adapters/io/hide-secrets';

type Param = string | number | boolean;

/** What an action asks for cannot be done, and a person has to read why. Never leaves an executor. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly why: Text;

  constructor(why: Text) {
    super(why.en);
    this.why = why;
  }
}

export const refuse = (why: Text): never => {
  throw new Refusal(why);
};

/** The first of these parameters that the action has. */
export function paramOf(action: ProposedAction, ...names: readonly string[]): Param | undefined {
  for (const name of names) if (Object.hasOwn(action.params, name)) return action.params[name];
  return undefined;
}

export function textOf(action: ProposedAction, ...names: readonly string[]): string | undefined {
  const found = paramOf(action, ...names);
  return found === undefined || found === '' ? undefined : String(found);
}

export const needsParameter = (operation: Operation, name = ''): Text =>
  tell(`'${operation}' needs the parameter '${name}'.`, `'${operation}' 需要参数 '${name}'。`);
export const runsInstead = (running: string, from: string): Text =>
  tell(`${running} is running, not ${from}.`, `正在运行的是 ${running},不是 ${from}。`);
export const runsAlready = (version: string): Text =>
  tell(`${version} is running already.`, `已经在运行 ${version}。`);
export const notAsSaid = (key: string): Text =>
  tell(`${key} is not what the action says it is.`, `${key} 的当前值与动作所述不符。`);
export const keyNotSet = (name: string): Text => tell(`The key ${name} is not set.`, `未设置密钥 ${name}。`);
export const cannotDo = (executor: string, operation: Operation): Text =>
  tell(`${executor} cannot do '${operation}'.`, `${executor} 不能执行 '${operation}'。`);

export function needText(action: ProposedAction, ...names: readonly string[]): string {
  return textOf(action, ...names) ?? refuse(needsParameter(action.operation, names[0]));
}

export function needNumber(
  action: ProposedAction,
  names: readonly string[],
  range: { readonly min: number; readonly max: number; readonly whole?: boolean },
): number {
  const value = Number(needText(action, ...names));
  const { min, max, whole } = range;
  if (!(value >= min && value <= max) || (whole && !Number.isInteger(value)))
    refuse(
      tell(
        `'${names[0]}' must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}.`,
        `'${names[0]}' 必须是 ${min} 到 ${max} 之间的${whole ? '整数' : '数'}。`,
      ),
    );
  return value;
}

/** `rollback_canary payment-service from=v2.3.1 to=v2.3.0`, for what has no command of its own. */
export function spellAction({ operation, service, params }: ProposedAction): string {
  const about = String(params.key ?? '');
  const shown = (name: string, value: unknown) =>
    name === 'key' ? value : hideValue(about, hideValue(name, value));
  const parts = Object.entries(params).map(([name, value]) => `${name}=${shown(name, value)}`);
  return redact([operation, service, ...parts].join(' '));
}

/** The error of `execute` for something that a rehearsal would have refused. */
export const refusedToExecute = (refusal: Refusal) =>
  fail('backend.refused', nothingDone(refusal.why), undefined, refusal);
