import { describe, expect, it } from 'vitest';
import type { Alert, MaintenanceWindow } from '#spec/data';
import type { OpenIncident } from '#spec/ports';
import { placeAlert } from './place-alert.ts';

const NOW = Date.parse('2026-08-01T10:00:00Z');
const MINUTE = 60_000;
const instant = (minutes: number): string => new Date(NOW + minutes * MINUTE).toISOString();

/** web → payment → order → stock → supplier, web → coupon. */
const TOPOLOGY = {
  edges: [
    { from: 'web', to: 'payment' },
    { from: 'payment', to: 'order' },
    { from: 'order', to: 'stock' },
    { from: 'stock', to: 'supplier' },
    { from: 'web', to: 'coupon' },
  ],
};
const alert = (service: string | undefined, more: Partial<Alert> = {}): Alert => ({
  fingerprint: 'f',
  source: 'api',
  status: 'firing',
  title: 'An alert',
  severity: 'P2',
  ...(service === undefined ? {} : { service }),
  labels: {},
  annotations: {},
  startsAt: instant(0),
  ...more,
});
const incident = (
  id: string,
  services: readonly string[],
  more: Partial<OpenIncident> = {},
): OpenIncident => ({
  id,
  title: 'Something',
  severity: 'P2',
  state: 'investigating',
  ...(services[0] === undefined ? {} : { service: services[0] }),
  services: [...services],
  startsAt: instant(0),
  createdAt: NOW,
  alerts: 1,
  firing: 1,
  ...more,
});
const placing = (maintenance: readonly MaintenanceWindow[] = [], now = NOW, storm = 50) =>
  placeAlert({ topology: TOPOLOGY, maintenance, storm, now: () => now, newId: () => 'new' });
const place = placing();

describe('placeAlert', () => {
  it('opens an incident where there is none', () =>
    expect(place(alert('payment'), [])).toEqual({ to: 'new', id: 'new' }));

  it.each([
    ['the same service', 'payment', true],
    ['a caller', 'web', true],
    ['what a callee calls', 'stock', true],
    ['a sibling', 'coupon', true],
    ['what is three calls away', 'supplier', false],
    ['a stranger', 'mail', false],
  ])('looks at %s', (_, service, joins) =>
    expect(place(alert(service), [incident('a', ['payment'])])).toMatchObject(
      joins ? { to: 'incident', id: 'a' } : { to: 'new' },
    ),
  );

  it('reaches on through every service that an incident has', () =>
    expect(place(alert('supplier'), [incident('a', ['payment', 'order'])])).toMatchObject({
      to: 'incident',
      id: 'a',
      why: { en: 'supplier and order are 2 calls apart', zh: 'supplier 与 order 相隔 2 次调用' },
    }));

  it('prefers the nearest, then the oldest', () => {
    const far = incident('far', ['web'], { createdAt: NOW - MINUTE });
    expect(place(alert('stock'), [far, incident('near', ['order'])])).toMatchObject({ id: 'near' });
    const young = incident('young', ['payment']);
    const old = incident('old', ['payment'], { createdAt: NOW - MINUTE });
    expect(place(alert('order'), [young, old])).toMatchObject({ id: 'old' });
  });

  it.each([
    ['order', 9, true],
    ['order', 11, false],
    ['order', -11, false],
    ['payment', 11, true],
    ['payment', 61, false],
  ])('joins an alert of %s that began after %i minutes: %s', (service, minutes, joins) => {
    const late = alert(service, { startsAt: instant(minutes) });
    expect(place(late, [incident('a', ['payment'])]).to).toBe(joins ? 'incident' : 'new');
  });

  it('counts from when an incident became known, too', () => {
    const foundLate = incident('a', ['payment'], { startsAt: instant(-60), createdAt: NOW });
    expect(place(alert('order', { startsAt: instant(-5) }), [foundLate])).toMatchObject({ id: 'a' });
    expect(place(alert('order', { startsAt: instant(-30) }), [foundLate]).to).toBe('new');
  });

  it('keeps alerts of planned work apart, while it lasts', () => {
    const window = { name: 'upgrade', start: instant(-10), end: instant(10), services: ['payment'] };
    expect(placing([window])(alert('payment'), [])).toEqual({
      to: 'nowhere',
      why: { en: 'Maintenance: upgrade', zh: '计划维护:upgrade' },
    });
    expect(placing([window])(alert('order'), []).to).toBe('new');
    expect(placing([window])(alert(undefined), []).to).toBe('new');
    expect(placing([window], NOW + 11 * MINUTE)(alert('payment'), []).to).toBe('new');
    const { services: _, ...everything } = window;
    expect(placing([everything])(alert(undefined), []).to).toBe('nowhere');
  });

  describe('without a service', () => {
    const labels = { alertname: 'DiskFull', cluster: 'east' };
    const node = alert(undefined, { labels });

    it('joins the only one of the same name or cluster', () => {
      expect(place(node, [incident('a', [], { labels }), incident('b', ['mail'])])).toMatchObject({
        id: 'a',
      });
      const here = incident('c', ['payment'], { labels: { alertname: 'Other', cluster: 'east' } });
      expect(place(node, [here, incident('b', ['mail'])])).toMatchObject({ id: 'c' });
    });

    it('joins neither of two that fit', () => {
      const here = (id: string) => incident(id, ['x'], { labels: { alertname: id, cluster: 'east' } });
      expect(place(node, [here('a'), here('b')]).to).toBe('new');
      expect(place(node, [here('a'), here('b'), incident('c', [], { labels })])).toMatchObject({ id: 'c' });
    });

    it('joins nothing that is elsewhere, or over for long', () => {
      const west = incident('a', [], { labels: { alertname: 'DiskFull', cluster: 'west' } });
      expect(place(node, [west]).to).toBe('new');
      const old = incident('b', [], { labels, startsAt: instant(-30), createdAt: NOW - 30 * MINUTE });
      expect(place(node, [old]).to).toBe('new');
      expect(place(alert(undefined), [incident('c', ['payment'])]).to).toBe('new');
    });
  });

  it('joins the nearest when a whole system is in a storm', () => {
    const chain = Array.from({ length: 30 }, (_, n) => ({ from: `c${n}`, to: `c${n + 1}` }));
    const far = placeAlert({
      topology: { edges: chain },
      maintenance: [],
      now: () => NOW,
      newId: () => 'new',
    });
    const open = [0, 4, 8, 12, 16].map((n) => incident(`at-${n}`, [`c${n}`]));
    expect(far(alert('c30'), open.slice(1)).to).toBe('new');
    expect(far(alert('c30'), open)).toMatchObject({
      id: 'at-16',
      why: { en: expect.stringMatching(/storm/) },
    });
    expect(far(alert('mail'), open).to).toBe('new');
  });

  it('opens no more in a storm that it cannot see through, and joins the largest', () => {
    const guarded = placing([], NOW, 3);
    const strangers = ['a', 'b', 'c'].map((id, n) =>
      incident(id, [`lone-${id}`], { alerts: n === 1 ? 9 : 1 }),
    );
    expect(guarded(alert('mail'), strangers.slice(1)).to).toBe('new');
    expect(guarded(alert('mail'), strangers)).toMatchObject({ to: 'incident', id: 'b' });
    const old = strangers.map((one) => ({ ...one, createdAt: NOW - 11 * MINUTE }));
    expect(guarded(alert('mail'), old).to).toBe('new');
  });
});
