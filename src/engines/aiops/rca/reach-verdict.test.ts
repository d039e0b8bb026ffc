import { describe, expect, it } from 'vitest';
import type { Rca, Telemetry } from '#spec/data';
import { sampleSystem, withSeries } from '#testkit/bundles';
import { simulate } from '#testkit/simulator';
import { onlyWhatIsShown, reachVerdict } from './reach-verdict.ts';

const quiet = sampleSystem();
const slow = ['web', 'orders', 'payments'].reduce<Telemetry>(
  (telemetry, service) =>
    withSeries(telemetry, service, 'latency_ms_avg', (usual, during) => (during ? usual + 300 : usual)),
  quiet,
);
/** A name that reads as part of a query: nothing can be found under it. */
const NAME = 'pay{service="ments';
const hidden = JSON.parse(JSON.stringify(slow).replaceAll('"payments"', JSON.stringify(NAME))) as Telemetry;

const reasons = ({ missing }: Rca): string[] =>
  missing.map(({ en }) => en).filter((en) => en.startsWith('no conclusion'));

describe('reachVerdict', () => {
  it('concludes where every citation shows what it is cited for', () => {
    const { rca, results } = reachVerdict(slow);
    expect(rca.status).toBe('concluded');
    expect(reasons(rca)).toEqual([]);
    for (const id of rca.hypotheses[0]?.supports ?? []) expect(results).toHaveProperty(id);
  });

  it('concludes nothing where a citation shows nothing, and says why in both languages', () => {
    const { rca } = reachVerdict(hidden);
    expect(rca.hypotheses[0]).toMatchObject({ service: NAME });
    expect(rca.status).toBe('inconclusive');
    expect(reasons(rca)[0]).toMatch(/^no conclusion: ev_metric_\d+ is cited, and nothing is stored for it/);
    expect(rca.missing[0]?.zh).toMatch(/^不能定论:引用了 ev_metric_\d+,但没有保存任何结果/);
  });
});

describe('reachVerdict of drawn incidents', () => {
  it.each(Array.from({ length: 40 }, (_, at) => at))('shows what it cites (%i)', (at) => {
    const { telemetry } = simulate({
      seed: `cited-${at}`,
      ...(at % 2 ? { form: { byVersion: true }, fault: at % 4 === 1 ? 'bad_release' : 'slow_release' } : {}),
    });
    expect(reasons(reachVerdict(telemetry).rca)).toEqual([]);
  });
});

describe('onlyWhatIsShown', () => {
  const { rca, results } = reachVerdict(slow);
  const calm = reachVerdict(quiet);

  it('takes a verdict back when a result is gone, and keeps what was thought', () => {
    const unsure = onlyWhatIsShown(rca, {});
    expect(unsure).toMatchObject({ status: 'inconclusive', hypotheses: rca.hypotheses });
    const ready = { ...rca, hypotheses: rca.hypotheses.map((one) => ({ ...one, undo: true })) };
    expect(onlyWhatIsShown(ready, {}).hypotheses.some((one) => 'undo' in one)).toBe(false);
    expect(reasons(unsure)).toHaveLength(
      new Set(rca.hypotheses.slice(0, 1).flatMap(({ supports, refutes }) => [...supports, ...refutes])).size,
    );
  });

  it('holds a verdict that nothing is wrong to the same', () => {
    expect(calm.rca.status).toBe('no_incident');
    expect(onlyWhatIsShown(calm.rca, {}).status).toBe('inconclusive');
  });

  it('asks it of the first hypothesis: what is only weighed decides nothing', () => {
    const [first, ...others] = rca.hypotheses;
    if (!first) throw new Error('there is none');
    const guess = { ...first, supports: ['ev_metric_99'] };
    expect(onlyWhatIsShown({ ...rca, hypotheses: [first, guess, ...others] }, results).status).toBe(
      'concluded',
    );
    expect(onlyWhatIsShown({ ...rca, hypotheses: [guess, ...others] }, results).status).toBe('inconclusive');
  });
});
