import { fail } from '#kit/app-error';
import { redact } from '#kit/redact';
import { tell, type Text } from '#kit/text';
import type { Operation, ProposedAction } from '#spec/data';
import { definitionOf, paramOf } from '#spec/data/operations';
import { nothingDone } from '#adapters/io/before-effect';
import { hideValue } from '#adapters/io/hide-secrets';

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

export function textOf(action: ProposedAction, name: string): string | undefined {
  const found = paramOf(action, name);
  return found === undefined || found === '' ? undefined : String(found);
}

const needsParameter = (operation: Operation, name: string): Text =>
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

export function needText(action: ProposedAction, name: string): string {
  return textOf(action, name) ?? refuse(needsParameter(action.operation, name));
}

/** A number within what the definition of the operation allows. */
export function needNumber(action: ProposedAction, name: string): number {
  const value = Number(needText(action, name));
  const { min = -Infinity, max = Infinity, whole } = numberOf(action, name) ?? {};
  if (!(value >= min && value <= max) || (whole && !Number.isInteger(value)))
    refuse(
      tell(
        `'${name}' must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}.`,
        `'${name}' 必须是 ${min} 到 ${max} 之间的${whole ? '整数' : '数'}。`,
      ),
    );
  return value;
}

/** The setting that an action is about. One that needs to name none is about the rate limit. */
export function settingOf(action: ProposedAction, rateLimitKey: string): string {
  const { required } = definitionOf(action.operation).params['key'] ?? {};
  return required ? needText(action, 'key') : (textOf(action, 'key') ?? rateLimitKey);
}

/** As it was given, or a number where the operation takes one. */
export const needValue = (action: ProposedAction, name: string): string | number | boolean =>
  numberOf(action, name)
    ? needNumber(action, name)
    : (paramOf(action, name) ?? refuse(needsParameter(action.operation, name)));

const numberOf = ({ operation }: ProposedAction, name: string) =>
  definitionOf(operation).params[name]?.number;

/** `scale_deployment order-service from=2 replicas=4`, for what has no command of its own. */
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
