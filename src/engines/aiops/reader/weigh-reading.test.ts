import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asText } from '#kit/text';
import {
  CAUSE_CATEGORIES,
  type Cause,
  type Change,
  type Hypothesis,
  OPERATIONS,
  type ProposedAction,
  type Rca,
  type Reading,
} from '#spec/data';
import { metricEvidence, sampleIncident } from '#support/engines/aiops/sample-case';
import { proposeAction } from '../policy/propose-action.ts';
import { shownCauses } from './reader-question.ts';
import { weighReading } from './weigh-reading.ts';

const hypothesis = (parts: Partial<Hypothesis>): Hypothesis => ({
  category: 'service_fault',
  confidence: 0.5,
  supports: ['ev_metric_1'],
  refutes: [],
  why: asText('it began with it'),
  ...parts,
});
const rcaOf = (hypotheses: Hypothesis[], parts: Partial<Rca> = {}): Rca => ({
  status: 'concluded',
  hypotheses,
  evidence: [metricEvidence('ev_metric_1', 'errors_503_per_second', 'payments', 0.1, 9)],
  missing: [],
  ...parts,
});
const readingOf = (rca: Rca, verdict: Cause): Reading => ({
  model: 'house/reader-1',
  round: 1,
  outcome: 'answered',
  said: asText(''),
  shown: shownCauses(rca),
  verdict,
  evidence: ['ev_metric_1'],
  quote: 'errors_503_per_second',
});
const weighed = (rca: Rca, verdict: Cause) => weighReading(rca, readingOf(rca, verdict));

const GUILTY = hypothesis({
  category: 'deploy_regression',
  service: 'payments',
  change: 'dep-1',
  undo: true,
  confidence: 0.96,
});
const OTHER = hypothesis({ category: 'database_latency', service: 'ledger-db', confidence: 0.02 });

describe('weighReading', () => {
  it('makes what both name likelier, by a factor that the evidence bounds', () => {
    const one = hypothesis({ service: 'web', confidence: 0.5 });
    const two = hypothesis({ service: 'ledger-db', confidence: 0.3 });
    const agreed = weighed(rcaOf([one, two]), one);
    expect(agreed.rca.hypotheses).toMatchObject([
      { service: 'web', confidence: 0.75, unread: 0.5 },
      { service: 'ledger-db', confidence: 0.15, unread: 0.3 },
    ]);
    expect(agreed.reading.said.en).toContain('agrees: service_fault, web');
    const turned = weighed(rcaOf([one, two]), two);
    expect(turned.rca.hypotheses.map(({ service }) => service)).toEqual(['ledger-db', 'web']);
    expect(turned.reading.said.en).toContain('now stands first');
    const weak = weighed(rcaOf([one, { ...two, confidence: 0.16 }]), two);
    expect(weak.rca.hypotheses[0]).toMatchObject({ service: 'web' });
    expect(weak.reading.said.en).toContain('weighs too little');
  });

  it('blocks an undo that it does not see, and says so', () => {
    for (const verdict of [OTHER, { category: 'none' } as const]) {
      const { rca, reading } = weighed(rcaOf([GUILTY, OTHER]), verdict);
      expect(rca.hypotheses[0]).toMatchObject({ change: 'dep-1', undo: false });
      expect(reading.said.en).toContain('Undoing dep-1 is left to a person');
    }
    expect(weighed(rcaOf([GUILTY, OTHER]), GUILTY).rca.hypotheses[0]).toMatchObject({ undo: true });
  });

  it('keeps its word in later rounds, for what it was shown alone', () => {
    const reading = readingOf(rcaOf([GUILTY, OTHER]), OTHER);
    const later = { ...GUILTY, category: 'connection_pool', confidence: 0.99 } as const;
    expect(weighReading(rcaOf([later]), reading).rca.hypotheses[0]).toMatchObject({ undo: false });
    const strange = { ...GUILTY, change: 'dep-2' };
    expect(weighReading(rcaOf([strange]), reading).rca.hypotheses[0]).toMatchObject({ undo: true });
  });

  it('concludes nothing that was open, and opens what it leaves too unlikely', () => {
    const one = hypothesis({ service: 'web', confidence: 0.28 });
    expect(weighed(rcaOf([one], { status: 'inconclusive' }), one).rca.status).toBe('inconclusive');
    const weak = weighed(rcaOf([{ ...one, confidence: 0.35 }]), { category: 'none' });
    expect(weak.rca).toMatchObject({ status: 'inconclusive' });
    expect(weak.reading.said.en).toContain('none of the hypotheses');
  });

  it('gives a question where there was none', () => {
    const rca = rcaOf([GUILTY]);
    const query = asText('logs?');
    const reading = { ...readingOf(rca, GUILTY), query };
    expect(weighReading(rca, reading).rca.nextQuery).toEqual(query);
    const own = asText('own');
    expect(weighReading({ ...rca, nextQuery: own }, reading).rca.nextQuery).toEqual(own);
  });

  it('never brings an action about, whatever it says of whatever', () => {
    const CHANGES: Change[] = ['dep-1', 'dep-2'].map((id) => ({
      id,
      kind: 'deploy',
      service: 'payments',
      time: '2026-03-01T11:54:00Z',
      summary: 'x',
      details: { from: 'v1', to: 'v2' },
    }));
    const arbitrary = fc.record({
      category: fc.constantFrom(...CAUSE_CATEGORIES),
      service: fc.constantFrom('payments', 'ledger-db', 'web'),
      change: fc.constantFrom(undefined, undefined, 'dep-1', 'dep-2'),
      confidence: fc.double({ min: 0.01, max: 1, noNaN: true }),
    });
    const act = (rca: Rca, tried: readonly ProposedAction[]) =>
      proposeAction({
        incident: sampleIncident(),
        rca,
        changes: CHANGES,
        rules: [],
        operations: OPERATIONS,
        tried,
        now: 0,
        zone: 'UTC',
      }).action;
    fc.assert(
      fc.property(
        fc.array(arbitrary, { minLength: 1, maxLength: 5 }),
        fc.nat(5),
        fc.boolean(),
        fc.boolean(),
        (drawn, choice, undo, again) => {
          const all = drawn
            .map(({ change, ...rest }) => hypothesis(change === undefined ? rest : { ...rest, change }))
            .toSorted((one, other) => other.confidence - one.confidence);
          const [first, ...others] = all;
          if (!first) return;
          const rca = rcaOf([{ ...first, ...(undo && first.change ? { undo } : {}) }, ...others], {
            status: first.confidence >= 0.3 ? 'concluded' : 'inconclusive',
          });
          const read = weighed(rca, all[choice] ?? { category: 'none' }).rca;
          const before = act(rca, []);
          const tried = again && before ? [before] : [];
          const usual = act(rca, tried);
          const now = act(read, tried);
          expect(now?.operation === 'observe' ? usual : now).toEqual(usual);
          const undone = ({ hypotheses }: Rca) =>
            hypotheses.flatMap(({ undo: may, change }) => (may ? change : []));
          expect(undone(rca)).toEqual(expect.arrayContaining(undone(read)));
        },
      ),
      { numRuns: 500 },
    );
  });
});
