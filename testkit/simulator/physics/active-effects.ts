import { type Effect, levelOf, rolledShare } from '../world/effect.ts';
import type { Service } from '../world/system.ts';

type Amount = Exclude<keyof Effect, 'rollout' | 'node' | 'service' | 'edge'>;

export interface Now {
  readonly services: readonly (readonly Hit[])[];
  readonly edges: ReadonlyMap<number, readonly Hit[]>;
  readonly load: number;
}
export interface Hit {
  readonly effect: Effect;
  readonly level: number;
  /** The share of requests that it hits. */
  readonly share: number;
}

export function activeEffects(effects: readonly Effect[], time: number, services: readonly Service[]): Now {
  const ofServices: Hit[][] = services.map(() => []);
  const ofEdges = new Map<number, Hit[]>();
  let load = 1;
  for (const effect of effects) {
    const level = levelOf(effect, time);
    if (level <= 0) continue;
    const hit = { effect, level, share: shareOf(effect, time, services) };
    if (effect.load !== undefined) load *= 1 + level * effect.load;
    if (effect.service !== undefined) ofServices[effect.service]?.push(hit);
    if (effect.edge !== undefined) ofEdges.set(effect.edge, [...(ofEdges.get(effect.edge) ?? []), hit]);
  }
  return { services: ofServices, edges: ofEdges, load };
}

function shareOf(
  { rollout, node, service, share = 1 }: Effect,
  time: number,
  services: readonly Service[],
): number {
  if (rollout) return share * rolledShare(rollout, time);
  const pods = node === undefined ? [] : (services[service ?? -1]?.pods ?? []);
  return pods.length ? (share * pods.filter((pod) => pod.node === node).length) / pods.length : share;
}

export const sumOf = (hits: readonly Hit[], amount: Amount): number => {
  let sum = 0;
  for (const { effect, level, share } of hits) sum += (effect[amount] ?? 0) * level * share;
  return sum;
};
/** For amounts that multiply, such as calls and patience: 1 where nothing hits. */
export const factorOf = (hits: readonly Hit[], amount: Amount): number => {
  let factor = 1;
  for (const { effect, level, share } of hits) {
    const full = effect[amount];
    if (full !== undefined) factor *= 1 + (full - 1) * level * share;
  }
  return factor;
};
export const NOTHING: readonly Hit[] = [];
