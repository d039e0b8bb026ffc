import type { Text } from '#kit/text';
import type { Change, Hypothesis } from '#spec/data';
import { definitionOf, type Effect, operationUndoing } from '#spec/data/operations';
import { brings } from '../rca/changes/effective-change.ts';
import { isDeploy } from '../rca/changes/taken-back.ts';
import type { ActionParams, Draft } from './action.ts';
import type { PolicyCase } from './case.ts';
import { words } from './words.ts';

type Value = string | number | boolean;

const isValue = (value: unknown): value is Value =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean';

function detail({ details = {} }: Change, names: readonly string[]): Value | undefined {
  return names.map((name) => details[name]).find(isValue);
}

const timeOf = ({ time }: Change): number => Date.parse(time);

/** Undoes the change that a hypothesis blames, or tells why not. Only for a change that may be undone. */
export function undoChange(
  hypothesis: Hypothesis,
  policyCase: PolicyCase,
): { readonly draft: Draft } | { readonly why: Text } | undefined {
  const { changes } = policyCase;
  if (hypothesis.change === undefined) return undefined;
  if (hypothesis.undo === false) return { why: words.doubted(hypothesis.change) };
  if (!hypothesis.undo) return { why: words.nothingToUndo(hypothesis.change) };
  const change = changes.find(({ id }) => id === hypothesis.change);
  if (!change) return { why: words.unreadableChange(hypothesis.change) };
  const operation = operationUndoing(change.kind);
  const undo = operation && UNDO[definitionOf(operation).effect]?.(change, hypothesis, policyCase);
  return undo ? { draft: { operation, ...undo } } : { why: words.unreadableChange(change.id) };
}

type Undo = Omit<Draft, 'operation'>;

/** How an effect takes a change back: to which service, and with which parameters. */
const UNDO: Readonly<
  Partial<Record<Effect, (change: Change, hypothesis: Hypothesis, all: PolicyCase) => Undo | undefined>>
> = { set_version: rollBack, set_config: setBack };

/** A commit is undone by rolling back the deploy that brought it. */
function rollBack(change: Change, hypothesis: Hypothesis, { changes }: PolicyCase): Undo | undefined {
  const deploy = change.kind === 'commit' ? (carrierOf(change, changes) ?? change) : change;
  const service = deploy.service ?? hypothesis.service;
  if (service === undefined) return undefined;
  const from = versionOf(deploy);
  const to =
    detail(deploy, ['from', 'previous', 'previous_version']) ?? versionBefore(deploy, service, changes);
  const params: ActionParams = {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined || to === from ? {} : { to }),
  };
  const shown = (value: Value | undefined): string | undefined =>
    value === undefined ? value : String(value);
  const reason = words.rollback(service, shown(from), shown(params['to']), hypothesis.why);
  return { service, params, reason };
}

const versionOf = (deploy: Change): Value | undefined =>
  detail(deploy, ['to', 'version', 'new_version', 'revision', 'commit']);

function carrierOf(commit: Change, changes: readonly Change[]): Change | undefined {
  return changes
    .filter((change) => isDeploy(change) && brings(change, commit))
    .toSorted((one, other) => timeOf(one) - timeOf(other))[0];
}

function versionBefore(deploy: Change, service: string, changes: readonly Change[]): Value | undefined {
  const before = changes
    .filter((change) => isDeploy(change) && change.id !== deploy.id)
    .filter((other) => other.service === service && timeOf(other) < timeOf(deploy))
    .toSorted((one, other) => timeOf(other) - timeOf(one))[0];
  return before && versionOf(before);
}

function setBack(change: Change, hypothesis: Hypothesis): Undo | undefined {
  const service = change.service ?? hypothesis.service;
  const key = detail(change, ['key', 'flag', 'name', 'setting']);
  const to = detail(change, ['from', 'old', 'before', 'previous']);
  const from = detail(change, ['to', 'new', 'after', 'value']);
  if (service === undefined || key === undefined || to === undefined) return undefined;
  return {
    service,
    params: { key: String(key), ...(from === undefined ? {} : { from }), to },
    reason: words.setBack(String(key), String(from ?? '?'), String(to), hypothesis.why),
  };
}
