import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testkit/cpu-time';
import { cutTerms } from './cut-terms.ts';

describe('cutTerms', () => {
  it.each([
    ['Rolled back the deploys', ['roll', 'back', 'the', 'deploi']],
    ['payment-service v2.3.1', ['payment-service', 'payment', 'servic', 'v2.3.1', 'v2']],
    ['maxPoolSize HTTPServer', ['maxpoolsize', 'max', 'pool', 'size', 'httpserver', 'http', 'server']],
    ['MAX_POOL', ['max_pool', 'max', 'pool']],
    ['/var/log/app.log', ['var/log/app.log', 'var', 'log', 'app', 'log']],
    ["Ann's don't", ['ann', 'don']],
    ['支付回滚', ['支付', '付回', '回滚']],
    ['中', ['中']],
    ['支付service失败', ['支付', 'servic', '失败']],
    ['回滚。支付', ['回滚', '支付']],
    ['回 滚', ['回', '滚']],
    ['ＡＢＣ１２３', ['abc123']],
    ['café naïve Привет', ['café', 'naïve', 'привет']],
    ['𠮷野家', ['𠮷野', '野家']],
    ['サーバー', ['サー', 'ーバ', 'バー']],
    ['a.b. - -c- "quoted"', ['a.b', 'c', 'quot']],
    ['', []],
    ['?!… 🙂 \0 \ud800', []],
  ])('cuts %j', (text, terms) => {
    expect(cutTerms(text)).toEqual(terms);
  });

  it('gives what is asked and what was written the same terms', () => {
    const said = new Set(cutTerms('Deploying payment-service/v2.3.1 failed: connectionPool was exhausted'));
    for (const asked of [
      'deploy',
      'payment-service',
      'PAYMENT',
      'v2.3.1',
      'connections',
      'pool',
      'exhaust',
    ]) {
      expect(said).toContain(cutTerms(asked).at(-1));
    }
  });

  it('takes a megabyte in its stride', () => {
    for (const unit of ['a-', 'word ', '回滚', "x'", 'aB', 'é']) {
      const started = cpuMs();
      cutTerms(unit.repeat(1_000_000 / unit.length));
      expect(cpuMs() - started).toBeLessThan(3_000);
    }
  });

  it('cuts off what no one would type', () => {
    expect(cutTerms('x'.repeat(10_000))).toEqual(['x'.repeat(64)]);
  });
});
