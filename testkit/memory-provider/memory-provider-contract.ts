import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Audience } from '#spec/data';
import type { MemoryProvider } from '#spec/ports';
import { type FaultyServer, SERVICE_FAULTS, type ServiceFault } from './faulty-server.ts';

export interface ProviderUnderTest {
  readonly server: FaultyServer;
  /** A provider that talks to the server, with this key. */
  open(key?: string): MemoryProvider;
}

const LIN: Audience = { source: 'telegram', user: 'Lin 林/1', chat: 'dm' };
const WEI: Audience = { source: 'telegram', user: 'wei', chat: 'dm2' };
const AT = Date.UTC(2026, 4, 1, 9);
const never = new AbortController().signal;

const MESSAGES: Readonly<Record<Exclude<ServiceFault, 'slow'>, RegExp>> = {
  unauthorized: /does not accept the key/,
  rate_limited: /429/,
  failing: /answered 500/,
  malformed: /no JSON/,
  unknown_shape: /shape that is not known/,
};

/** What every outside memory service does, and how it fails. */
export function describeMemoryProvider(name: string, start: () => Promise<ProviderUnderTest>): void {
  describe(`memory provider ${name}`, () => {
    let under: ProviderUnderTest;
    let provider: MemoryProvider;
    beforeEach(async () => {
      under = await start();
      provider = under.open();
    });
    afterEach(() => under.server.close());

    const tell = (said: string, audience = LIN, answered = 'noted') =>
      provider.observe({ session: 'ses_1/x', said, answered, at: AT }, audience, never);
    const texts = async (query: string, audience = LIN) =>
      (await provider.recall(query, audience, 5, never)).map(({ text }) => text);

    it('knows nothing about somebody new', async () => {
      expect(await texts('tea')).toEqual([]);
    });

    it('remembers what a person said, with its time', async () => {
      await tell('I drink green tea');
      await tell('my cluster runs in Shanghai');
      const found = await provider.recall('tea', LIN, 5, never);
      expect(found.map(({ text }) => text)).toEqual(['I drink green tea']);
      expect(found[0]?.at).toBeGreaterThan(Date.UTC(2026, 0));
      expect((await provider.recall('tea cluster', LIN, 1, never)).length).toBe(1);
    });

    it('keeps people apart', async () => {
      await tell('I drink green tea');
      expect(await texts('tea', WEI)).toEqual([]);
      expect(await texts('tea', { ...LIN, source: 'slack' })).toEqual([]);
    });

    it('forgets a person, and nobody else', async () => {
      await tell('I drink green tea');
      await tell('tea is fine', WEI);
      await provider.forget(LIN, never);
      expect(await texts('tea')).toEqual([]);
      expect(await texts('tea', WEI)).toEqual(['tea is fine']);
      await tell('I drink black tea');
      expect(await texts('tea')).toEqual(['I drink black tea']);
    });

    it('forgets somebody it never knew', async () => {
      await expect(provider.forget(LIN, never)).resolves.toBeUndefined();
    });

    it('says nothing about an empty turn', async () => {
      await tell(' ', LIN, '');
      expect(await texts('a')).toEqual([]);
    });

    it('is told apart from a wrong key', async () => {
      await expect(under.open('wrong').recall('tea', LIN, 5, never)).rejects.toThrow(
        'does not accept the key',
      );
    });

    it.each(SERVICE_FAULTS.filter((fault) => fault !== 'slow'))('says what went wrong: %s', async (fault) => {
      under.server.fail(fault);
      await expect(provider.recall('tea', LIN, 5, never)).rejects.toThrow(MESSAGES[fault]);
      await expect(provider.recall('tea', LIN, 5, never)).rejects.not.toThrow('sk-abc');
      under.server.fail(undefined);
      expect(await texts('tea')).toEqual([]);
    });

    it('ends with the signal when the service hangs', async () => {
      under.server.fail('slow');
      await expect(provider.recall('tea', LIN, 5, AbortSignal.timeout(100))).rejects.toThrow(
        'cannot be reached',
      );
      await expect(
        provider.observe({ session: 's', said: 'a', answered: 'b', at: AT }, LIN, AbortSignal.timeout(100)),
      ).rejects.toThrow('cannot be reached');
    });

    it('says when nobody listens', async () => {
      await under.server.close();
      await expect(provider.recall('tea', LIN, 5, never)).rejects.toThrow('cannot be reached');
    });
  });
}
