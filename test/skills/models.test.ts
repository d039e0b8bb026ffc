import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSkillPlace, type SkillPlace, UNHURRIED } from './skill-place.ts';

const curve = (values: readonly number[]) =>
  JSON.stringify(values.map((val_loss, at) => ({ epoch: at + 1, val_loss })));

describe('skills for data and models', UNHURRIED, () => {
  let place: SkillPlace;
  beforeAll(async () => {
    place = await openSkillPlace({ commands: 'machine' });
    await place.put('good.csv', 'id,price\n1,10\n2,11\n3,12\n4,13\n');
    await place.put('bad.csv', 'id,price\n1,10\n1,10\n2,\n3,\n4,\n5\n');
  });
  afterAll(() => place.close());

  it('data_quality finds what is missing, doubled and broken, and can fail on it', async () => {
    const { state, text } = await place.run('data_quality', { path: 'bad.csv' });
    expect(state).toBe('done');
    expect(text).toContain('6 rows, 1 duplicates, 1 rows of another length');
    expect(text).toMatch(/^- \[medium\] price: .* % are missing$/m);
    expect(text).toMatch(/^\| id \| number \| 0 \| 5 \| 1 \| 5 \|/m);
    const strict = await place.run('data_quality', { path: 'bad.csv', strict: true });
    expect([strict.state, strict.text]).toEqual(['failed', expect.stringContaining('`strict` is on')]);
    expect((await place.run('data_quality', { path: 'good.csv', strict: true })).text).toContain(
      'Nothing is wrong.',
    );
    const gone = await place.run('data_quality', { path: 'gone.csv' });
    expect([gone.state, gone.text]).toEqual(['unmet', expect.stringContaining('There is no file')]);
  });

  it('experiment_compare names the better run, whichever way better is', async () => {
    await place.put('one.json', curve([0.9, 0.5, 0.4]));
    await place.put('two.json', curve([0.9, 0.4, 0.3, 0.5, 0.7, 0.8]));
    const { state, text } = await place.run('experiment_compare', {
      baseline: 'one.json',
      candidate: 'two.json',
    });
    expect(state).toBe('done');
    expect(text).toContain('# val_loss: one.json against two.json');
    expect(text).toContain(
      'Better: **two.json** (lower is better). Candidate minus baseline: -0.1 (-25.00 %)',
    );
    expect(text).toMatch(/^\| two\.json \| 0\.3 \| 3 \| 0\.8 \| 6 \| true \|/m);
    await place.put('three.csv', 'epoch,accuracy\n1,0.7\n2,0.9\n');
    await place.put('four.csv', 'epoch,accuracy\n1,0.7\n2,0.8\n');
    const higher = await place.run('experiment_compare', { baseline: 'three.csv', candidate: 'four.csv' });
    expect(higher.text).toContain('Better: **three.csv** (higher is better)');
  });

  it('model_train runs the script and judges what it leaves', async () => {
    await place.put(
      'train.sh',
      `echo training && printf '%s' '${curve([0.9, 0.5, 0.6, 0.7, 0.8])}' > metrics.json\n`,
    );
    const asked = { program: 'bash', parameters: ['train.sh'], data: 'bad.csv' };
    const { state, text } = await place.run('model_train', asked, { says: 'yes' });
    expect([state, text]).toEqual([
      'done',
      expect.stringContaining('**val_loss**: best 0.5 at step 2, last 0.8'),
    ]);
    expect(text).toMatch(/^- \[high\] overfits/m);
    expect(text).toMatch(/^- data, \[medium\] price/m);
    const absent = await place.run('model_train', { program: 'no-such-program' });
    expect([absent.state, absent.text]).toEqual(['unmet', expect.stringContaining('is not installed')]);
  });

  it('data_pipeline compares before and after, and fails when too much is lost', async () => {
    const asked = { input: 'good.csv', output: 'out.csv', program: 'bash' };
    await place.put('keep.sh', 'cp good.csv out.csv\n');
    await place.put('lose.sh', 'head -2 good.csv > out.csv\n');
    const kept = await place.run('data_pipeline', { ...asked, parameters: ['keep.sh'] }, { says: 'yes' });
    expect([kept.state, kept.text]).toEqual(['done', expect.stringContaining('Rows lost: 0 %.')]);
    const lost = await place.run('data_pipeline', { ...asked, parameters: ['lose.sh'] }, { says: 'yes' });
    expect([lost.state, lost.text]).toEqual(['failed', expect.stringContaining('of the rows were lost')]);
  });

  it('model_deploy keeps a model out that is not good enough', async () => {
    await place.program('docker', 'echo docker should not be called >&2; exit 9');
    await place.put('one.json', curve([0.9, 0.5, 0.4]));
    const asked = { image: 'models/pay:1', port: 1, metrics: 'one.json', at_most: 0.3 };
    const { state, text } = await place.run('model_deploy', asked, { says: 'yes' });
    expect([state, text]).toEqual(['failed', expect.stringContaining('The best val_loss is 0.4')]);
  });
});
