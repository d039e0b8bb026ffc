import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openExecutors } from '#adapters/executors';
import { describeRule, incidentTools, operationsIn, parseRule } from '#engines/aiops';
import type { Operation, ProposedAction } from '#spec/data';
import {
  changesSomething,
  definitionOf,
  EFFECTS,
  likeCommand,
  OPERATIONS,
  type OperationDefinition,
  undoOf,
} from '#spec/data/operations';
import type { Executor } from '#spec/ports';
import { orderOf, sampleAction } from '#testkit/executor-contract';

const SERVICE = 'order-service';
const signal = new AbortController().signal;

const REGISTRY = {
  fence: 0,
  applied: {},
  services: {
    [SERVICE]: {
      version: 'v2.3.0',
      previous: 'v2.2.9',
      canary: { version: 'v2.3.1', weight: 50 },
      replicas: 2,
      config: { pool_size: 20, rate_limit_rps: 200 },
      degraded: [],
      active: 'primary',
    },
  },
  history: [],
};

/** Parameters that nobody had to think about: what the definition demands, and nothing else. */
const demanded = ({ params }: OperationDefinition): ProposedAction['params'] =>
  Object.fromEntries(
    Object.entries(params)
      .filter(([, { required }]) => required)
      .map(([name, { number }]) => [name, number ? number.min + 1 : 'another']),
  );

const each = OPERATIONS.map((operation) => ({ operation, definition: definitionOf(operation) }));

describe('operations', () => {
  it('keep the ids under which incidents and rules are stored', () => {
    expect(OPERATIONS).toEqual(
      expect.arrayContaining<Operation>([
        'rollback_canary',
        'restart_deployment',
        'scale_deployment',
        'switch_traffic',
        'change_config',
        'flush_cache',
        'failover_dependency',
        'change_rate_limit',
        'degrade_dependency',
        'observe',
      ]),
    );
  });

  it('undo each kind of change by one of them', () => {
    const kinds = each.flatMap(({ definition: { undoes = [] } }) => undoes);
    expect(kinds.toSorted()).toEqual(['commit', 'config', 'deploy', 'flag', 'release']);
  });
});

describe('the command that would do the same', () => {
  const rollback = { operation: 'rollback_canary', service: 'payment-service' } as const;

  it('names the service as its tool does, and every value', () => {
    const action = { ...rollback, params: { from: 'v2.3.1', to: 'v2.3.0' } };
    expect(likeCommand(action, { argocd: 'payment-service-prod' })).toBe(
      'argocd app rollback payment-service-prod v2.3.0',
    );
    expect(likeCommand(action)).toBe('argocd app rollback payment-service v2.3.0');
  });

  it('is none where a value is missing or a shell would read it otherwise', () => {
    expect(likeCommand({ ...rollback, params: {} })).toBeUndefined();
    expect(likeCommand({ ...rollback, params: { to: 'v1; rm -rf /' } })).toBeUndefined();
    expect(likeCommand({ operation: 'flush_cache', service: 'a', params: {} })).toBeUndefined();
  });
});

describe.each(each)('$operation', ({ operation, definition }) => {
  const { name, effect, risk, params, rules, undo, verify, tool } = definition;
  const names = Object.keys(params);

  it('has a name in both languages', () => {
    expect(name.en).toMatch(/^[a-z]+(?: [a-z]+)*$/);
    expect(name.zh).toMatch(/^\p{Script=Han}+$/u);
  });

  it.each([
    ['Never', name.en],
    ['禁止', name.zh],
  ])('is what a rule means that says: %s %s', (never, word) => {
    expect(operationsIn(word).map((found) => found.operation)).toEqual([operation]);
    const rule = parseRule(`${never} ${word} ${SERVICE}`, 'told');
    expect(rule).toMatchObject({ operation, effect: 'forbid', service: SERVICE });
    if (rule) expect(describeRule(rule, never === 'Never' ? 'en' : 'zh')).toContain(word);
  });

  it('is what a rule may ask for first', () => {
    const prefer = { effect: 'prefer', prefer: { operation, service: SERVICE } };
    expect(parseRule(`You should always ${name.en} first with ${SERVICE}`, 'told')).toMatchObject(prefer);
    expect(parseRule(`${SERVICE} 必须先${name.zh}`, 'told')).toMatchObject(prefer);
  });

  it('is forbidden by its noun, where it has one', () => {
    if (rules.noun === undefined) return;
    const rule = parseRule(`No ${rules.noun}s of ${SERVICE}`, 'told');
    expect(rule).toMatchObject({ operation, effect: 'forbid', service: SERVICE });
  });

  it('takes the parameters of its effect, each under names of its own', () => {
    expect(names).toEqual(expect.arrayContaining([...EFFECTS[effect]]));
    const all = Object.entries(params).flatMap(([one, { also = [] }]) => [one, ...also]);
    expect(new Set(all).size).toBe(all.length);
    expect(risk === 'read_only').toBe(!changesSomething(operation));
  });

  it('is taken back by an operation that exists, to what was before', () => {
    if (typeof undo === 'string')
      return expect(undoOf(sampleAction({ operation, service: SERVICE }))).toBe(undo);
    const given = Object.fromEntries(names.map((one, index) => [one, index + 1]));
    const back = undoOf({ operation, service: SERVICE, params: given });
    if (typeof back === 'string') throw new Error(`${operation} is taken back by ${back}`);
    expect(OPERATIONS).toContain(back.operation);
    expect(Object.keys(definitionOf(back.operation).params)).toEqual(
      expect.arrayContaining(Object.keys(back.params)),
    );
    expect(Object.values(back.params)).toContain(given['from']);
    expect(undoOf(back)).toEqual({ operation, service: SERVICE, params: given });
    const { from: _before, ...unknown } = given;
    expect(undoOf({ operation, service: SERVICE, params: unknown })).toBe('by_hand');
  });

  it('is verified by parameters that it has', () => {
    expect(names).toEqual(expect.arrayContaining(Object.values(verify)));
  });

  it('is a tool whose inputs are parameters, where it is one', () => {
    expect(names).toEqual(expect.arrayContaining(Object.values(tool?.input ?? {})));
    const tools = incidentTools({ desk: {} as never, now: Date.now });
    expect(tools.some((one) => one.name === operation)).toBe(tool !== undefined);
  });

  it('stands in the documents with its risk and its parameters', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/actions.md'), 'utf8');
    const row = page.split('\n').find((line) => line.startsWith(`| \`${operation}\``));
    const [, , stated = '', listed = ''] = row?.split('|') ?? [];
    expect(stated.trim()).toBe(risk.replace('_', ' '));
    const told = [...listed.matchAll(/`(\w+)`/g)].map(([, param = '']) => param);
    const meant = told.map((param) =>
      names.find((one) => one === param || params[one]?.also?.includes(param)),
    );
    expect(new Set(meant)).toEqual(new Set(names));
  });
});

describe.each(each.filter(({ operation }) => changesSomething(operation)))(
  '$operation, carried out',
  ({ operation, definition }) => {
    let folder: string;
    let executor: Executor;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'hermes-operations-'));
      const file = join(folder, 'deployments.json');
      writeFileSync(file, JSON.stringify(REGISTRY));
      const place = { key: () => undefined, now: Date.now };
      const { executors } = await openExecutors([{ type: 'demo_file', state_file: file }], place);
      executor = executors[0] as Executor;
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('is rehearsed, done once and found by its target', async () => {
      const action = sampleAction({ operation, service: SERVICE, params: demanded(definition) });
      expect(executor.operations).toContain(operation);
      const { allowed, why, diff, state } = await executor.rehearse(action, signal);
      expect({ allowed, why }).toEqual({ allowed: true, why: undefined });
      expect(diff).not.toBe('');
      await executor.execute(action, orderOf('key-1', { expects: state }));
      const { found } = await executor.reconcile(action, 'key-1', state, signal);
      expect(found).toBe('done');
    });
  },
);
