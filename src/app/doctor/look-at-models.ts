import type { ModelStream } from '#spec/ports';
import type { Dependencies } from '../dependencies.ts';
import type { Finding } from './diagnosis.ts';
import type { DoctorText } from './doctor-text.ts';

/** What answers. */
export async function lookAtModel(
  { models: open }: Pick<Dependencies, 'models'>,
  text: DoctorText,
): Promise<Finding> {
  const models = await open();
  if (!models.primary) return { state: 'warn', detail: text.noModel, fix: 'hermes model' };
  const { info } = await models.open(models.primary);
  const window = `${Math.round(info.contextWindow / 1000)}K`;
  return { state: 'good', detail: text.model(`${info.provider}/${info.model}`, info.protocol, window) };
}

/** What answers when that does not. */
export async function lookAtFallbacks(home: Pick<Dependencies, 'models' | 'settings'>): Promise<Finding> {
  const { fallback } = home.settings.llm;
  const models = await home.models();
  if (models.primary && fallback.length) await models.turn('');
  if (models.problems.length) {
    const detail = models.problems.map(({ message }) => message).join('\n');
    return { state: 'warn', detail, fix: models.problems.find(({ hint }) => hint)?.hint };
  }
  const chain = fallback.map(({ provider, model }) => [provider, model].filter(Boolean).join('/'));
  return { state: 'good', detail: chain.join(' → ') || '–' };
}

/** Has it answer. `ask` sends one question outside of any conversation. */
export async function lookOnline(
  ask: (question: string) => Promise<ModelStream>,
  text: DoctorText,
): Promise<Finding> {
  const started = performance.now();
  const outcome = await (await ask('Reply with the single word: ready')).result();
  if (outcome.status === 'failed')
    return { state: 'bad', detail: outcome.error.message, fix: outcome.error.hint };
  if (outcome.status === 'aborted') return { state: 'bad', detail: text.aborted };
  return { state: 'good', detail: `${((performance.now() - started) / 1000).toFixed(1)} s` };
}
