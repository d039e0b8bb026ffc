import type { DeployedService } from '#kit/deploy-registry';
import type { World } from '../system/world.ts';
import type { Span } from '../telemetry/tracer.ts';
import { type CallAnswer, type ClientCall, Late } from './client-call.ts';
import { setting } from './registry-file.ts';
import { between, wait } from './wait.ts';

export const CARD_NETWORK = 'card-network';
const ADDRESS = new URL('https://api.card-network.example/authorizations');
const ANSWER_MS = [10, 25] as const;
/** Of the cards, so many are declined on any day. */
const DECLINED_SHARE = 0.12;
/** While it is down: what it answers, if it does, and how many calls it leaves without an answer. */
const DOWN_MS = [350, 700] as const;
const SILENT_SHARE = 0.3;

/** Asks the network of the cards for the money: `{ declined }`. */
export type Authorize = (parent: Span, version: string) => Promise<CallAnswer>;

/** A vendor that this system does not run: nothing here is sent anywhere, its answers are waits. */
export const createCardNetwork =
  (callOut: ClientCall, state: () => DeployedService, world: () => World): Authorize =>
  (parent, version) => {
    const timeoutMs = setting(state(), 'card_timeout_ms', 1000);
    const target = {
      peer: CARD_NETWORK,
      method: 'POST',
      address: ADDRESS,
      route: ADDRESS.pathname,
      timeoutMs,
    } as const;
    return callOut(target, parent, version, async () => {
      if (!world().cardNetworkDown) {
        await wait(between(...ANSWER_MS));
        return { status: 200, body: { declined: Math.random() < DECLINED_SHARE } };
      }
      if (Math.random() < SILENT_SHARE) {
        await wait(timeoutMs);
        throw new Late();
      }
      await wait(between(...DOWN_MS));
      return { status: 503, body: { error: 'service unavailable' } };
    });
  };
