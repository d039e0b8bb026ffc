import { fail } from '#kit/app-error';
import { redact } from '#kit/redact';
import type { ProposedAction } from '#spec/data';
import { hideValue } from '#adapters/io/hide-secrets';

type Param = string | number | boolean;

/** What an action asks for cannot be done, and a person has to read why. Never leaves an executor. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

export const refuse = (why: string): never => {
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

export function needText(action: ProposedAction, ...names: readonly string[]): string {
  return textOf(action, ...names) ?? refuse(`'${action.operation}' needs the parameter '${names[0]}'.`);
}

export function needNumber(
  action: ProposedAction,
  names: readonly string[],
  range: { readonly min: number; readonly max: number; readonly whole?: boolean },
): number {
  const value = Number(needText(action, ...names));
  const { min, max, whole } = range;
  if (!(value >= min && value <= max) || (whole && !Number.isInteger(value)))
    refuse(`'${names[0]}' must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}.`);
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
  fail('backend.refused', `${refusal.message} Nothing was done.`, undefined, refusal);
