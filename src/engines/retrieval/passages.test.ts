import { expect, it } from 'vitest';
import { passageIndex } from './passages.ts';

const index = passageIndex([
  { lead: 'Connect Prometheus 接入指标', text: 'List it in backends.yaml.', of: 'prometheus' },
  { lead: 'Run in the background 后台运行', text: 'hermes serve --daemon keeps it running.', of: 'daemon' },
  { lead: 'Forget a memory 忘记', text: 'hermes memory forget', of: 'forget' },
]);
const first = (text: string) => index.search(text, 1)[0];

it('finds what shares the telling words, in both languages', () => {
  expect(first('how do I connect prometheus?')).toMatchObject({ of: 'prometheus', shared: 2, inLead: 2 });
  expect(first('怎么在后台运行')?.of).toBe('daemon');
  expect(first('keep it running')).toMatchObject({ of: 'daemon', inLead: 1 });
});

it('says how much of the question a passage answers, and nothing where it shares no word', () => {
  const whole = first('connect prometheus')?.fit ?? 0;
  const half = first('connect my grandmother to prometheus tomorrow')?.fit ?? 0;
  expect(whole).toBeGreaterThan(half);
  expect(first('what should I cook tonight?')).toBeUndefined();
  expect(first('')).toBeUndefined();
});
