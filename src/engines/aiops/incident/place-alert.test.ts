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
  updatedAt: NOW,
  alerts: 1,
  firing: 1,
  ...more,
});
const placing = (maintenance: readonly MaintenanceWindow[] = [], now = NOW) =>
  placeAlert({ topology: TOPOLOGY, maintenance, now: () => now, newId: () => 'new' });
const place = placing();

describe('placeAlert', () => {
  it('opens an incident where there is none', () =>
    expect(place(alert('payment'), [])).toEqual({ to: 'new', id: 'new' }));

  it.each([
    ['the same service', 'payment', true],
    ['a caller', 'web', true],
    ['what a callee calls', 'stock', false],
    ['a sibling', 'coupon', false],
    ['what is three calls away', 'supplier', false],
    ['a stranger', 'mail', false],
  ])('looks at %s', (_, service, joins) =>
    expect(place(alert(service), [incident('a', ['payment'])])).toMatchObject(
      joins ? { to: 'incident', id: 'a' } : { to: 'new' },
    ),
  );

  it('reaches past a service without an alert, where one incident alone is there', () => {
    const order = incident('a', ['order']);
    expect(place(alert('web'), [order])).toMatchObject({
      to: 'incident',
      id: 'a',
      why: { en: 'web calls order through another', zh: 'web 经由其他服务调用 order' },
    });
    const topology = { edges: [...TOPOLOGY.edges, { from: 'coupon', to: 'points' }] };
    const two = placeAlert({ topology, maintenance: [], now: () => NOW, newId: () => 'new' });
    expect(two(alert('web'), [order, incident('b', ['points'])]).to).toBe('new');
  });

  it('takes a lone lesser alert for no explanation', () => {
    const lone = incident('a', ['web', 'coupon'], { heard: { web: 2, coupon: 1 } });
    expect(place(alert('payment'), [lone])).toMatchObject({ id: 'a' });
    const heard = incident('a', ['web', 'coupon'], { heard: { web: 2, coupon: 2 } });
    expect(place(alert('payment'), [heard]).to).toBe('new');
  });

  it('connects later what could not be connected at first', () => {
    const web = incident('a', ['web'], { heard: { web: 2 } });
    const payment = incident('b', ['payment'], { heard: { payment: 1 } });
    expect(place(alert('payment', { severity: 'P3' }), [web, payment])).toMatchObject({
      id: 'a',
      merge: [{ id: 'b' }],
      why: { en: 'it is about payment too' },
    });
  });

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

  it('joins the same service over a window that is wider than an hour', () => {
    const wide = placeAlert({
      topology: TOPOLOGY,
      maintenance: [],
      windowMs: 90 * MINUTE,
      now: () => NOW,
      newId: () => 'new',
    });
    const late = alert('payment', { startsAt: instant(75) });
    expect(wide(late, [incident('a', ['payment'])])).toMatchObject({ id: 'a' });
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
    const node = alert(undefined, { labels, severity: 'P3' });

    it('joins the only one of the same name or cluster', () => {
      expect(place(node, [incident('a', [], { labels }), incident('b', ['mail'])])).toMatchObject({
        id: 'a',
      });
      const here = incident('c', ['payment'], { labels: { alertname: 'Other', cluster: 'east' } });
      expect(place(node, [here, incident('b', ['mail'])])).toMatchObject({ id: 'c' });
    });

    it('joins only the very same where it is grave', () => {
      const grave = alert(undefined, { labels });
      expect(place(grave, [incident('a', [], { labels })])).toMatchObject({ id: 'a' });
      const here = incident('c', ['payment'], { labels: { alertname: 'DiskFull', cluster: 'east' } });
      expect(place(grave, [here]).to).toBe('new');
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

  it('takes two callees of one caller for two causes, until something connects them', () => {
    const both = incident('a', ['web', 'payment']);
    expect(place(alert('coupon'), [both]).to).toBe('new');
    expect(place(alert('order'), [both])).toMatchObject({ id: 'a' });
    expect(place(alert('web'), [incident('a', ['payment']), incident('b', ['coupon'])])).toMatchObject({
      id: 'a',
      why: { en: 'web calls payment' },
    });
  });

  it('makes one of what the same callee explains', () => {
    const topology = {
      edges: [
        { from: 'cart', to: 'db' },
        { from: 'search', to: 'db' },
      ],
    };
    const shared = placeAlert({ topology, maintenance: [], now: () => NOW, newId: () => 'new' });
    const open = [incident('a', ['cart']), incident('b', ['search'])];
    expect(shared(alert('db'), open)).toMatchObject({
      id: 'a',
      merge: [{ id: 'b', why: { en: 'search, which has alerts too, calls db' } }],
    });
    const asked = incident('b', ['search'], { state: 'awaiting_approval' });
    expect(shared(alert('db'), [open[0] ?? asked, asked])).not.toHaveProperty('merge');
    const byHand = incident('b', ['search'], { byHand: true });
    expect(shared(alert('db'), [open[0] ?? byHand, byHand])).not.toHaveProperty('merge');
  });

  it('makes one of a small system in which everything has alerts, in any order', () => {
    const edges = ['order', 'coupon'].map((to) => ({ from: 'payment', to }));
    const small = placeAlert({ topology: { edges }, maintenance: [], now: () => NOW, newId: () => 'new' });
    const slow = incident('a', ['order']);
    const other = incident('b', ['coupon']);
    expect(small(alert('coupon'), [slow]).to).toBe('new');
    expect(small(alert('payment'), [slow, other])).toMatchObject({ id: 'a', merge: [{ id: 'b' }] });
    expect(small(alert('coupon'), [incident('a', ['payment', 'order'])])).toMatchObject({
      id: 'a',
      why: { en: '3 of 3 services that calls connect have alerts at the same time' },
    });
  });

  it('makes one of a system in which nearly everything has alerts', () => {
    const names = Array.from({ length: 8 }, (_, n) => `c${n}`);
    const edges = names.slice(1).map((to) => ({ from: 'c0', to }));
    const star = placeAlert({ topology: { edges }, maintenance: [], now: () => NOW, newId: () => 'new' });
    const open = names.slice(1).map((name) => incident(`at-${name}`, [name]));
    expect(star(alert('c7'), open.slice(0, 4)).to).toBe('new');
    expect(star(alert('c7'), open.slice(0, 5))).toMatchObject({
      id: 'at-c1',
      why: { en: '6 of 8 services that calls connect have alerts at the same time' },
      merge: [{ id: 'at-c2' }, { id: 'at-c3' }, { id: 'at-c4' }, { id: 'at-c5' }],
    });
  });

  describe('in a flood', () => {
    const lesser = Array.from({ length: 10 }, (_, n) => incident(`l${n}`, [`lone-${n}`], { severity: 'P3' }));
    const storm = incident('storm', ['lone-x'], { kind: 'storm', severity: 'P3' });
    const low = alert('mail', { severity: 'P3' });

    it('gathers lesser alerts that nothing connects', () => {
      expect(place(low, lesser.slice(1))).toEqual({ to: 'new', id: 'new' });
      expect(place(low, lesser)).toMatchObject({ to: 'new', storm: { title: 'Alert storm' } });
      expect(place(low, [storm])).toMatchObject({ to: 'incident', id: 'storm' });
    });

    it('joins by evidence what it can', () =>
      expect(
        place(alert('order', { severity: 'P3' }), [...lesser, storm, incident('a', ['payment'])]),
      ).toMatchObject({
        id: 'a',
      }));

    it('never takes a P1 or P2, however many incidents are open', () => {
      const grave = Array.from({ length: 500 }, (_, n) => incident(`g${n}`, [`grave-${n}`]));
      for (const severity of ['P1', 'P2'] as const) {
        const open = [...grave, ...lesser, storm];
        expect(place(alert('mail', { severity }), open)).toEqual({ to: 'new', id: 'new' });
        expect(place(alert('lone-x', { severity }), open)).toEqual({ to: 'new', id: 'new' });
        expect(place(alert(undefined, { severity }), open)).toEqual({ to: 'new', id: 'new' });
      }
    });

    it('ends: after a quiet time another flood is another storm', () =>
      expect(place(low, [{ ...storm, createdAt: NOW - 30 * MINUTE, updatedAt: NOW - 11 * MINUTE }])).toEqual({
        to: 'new',
        id: 'new',
      }));
  });

  describe('opened by hand', () => {
    it('stays apart from everything, also from the same service', () => {
      expect(place(alert('payment'), [incident('a', ['payment'])], 'opened')).toEqual({
        to: 'new',
        id: 'new',
      });
      expect(place(alert(undefined), [incident('a', [])], 'opened')).toEqual({ to: 'new', id: 'new' });
    });

    it('joins what is about the very service where it is only told of', () => {
      expect(place(alert('payment'), [incident('a', ['payment'])], 'told')).toMatchObject({ id: 'a' });
      expect(place(alert('payment'), [incident('a', ['web', 'payment'])], 'told').to).toBe('new');
      expect(place(alert('order'), [incident('a', ['payment'])], 'told').to).toBe('new');
    });

    it('takes alerts of its service alone', () => {
      const byHand = incident('a', ['payment'], { byHand: true });
      expect(place(alert('payment'), [byHand])).toMatchObject({ id: 'a' });
      expect(place(alert('order'), [byHand]).to).toBe('new');
    });
  });

  it('obeys what people said of two services', () => {
    const rule = (verdict: 'together' | 'apart', one: string, other: string) => ({
      id: 'r',
      services: [one, other] as const,
      verdict,
      by: 'somebody',
      at: 0,
    });
    const ruled = placeAlert({
      topology: TOPOLOGY,
      maintenance: [],
      rules: [rule('together', 'mail', 'payment'), rule('apart', 'order', 'payment')],
      now: () => NOW,
      newId: () => 'new',
    });
    expect(ruled(alert('mail'), [incident('a', ['payment'])])).toMatchObject({
      id: 'a',
      why: { en: 'a rule joins mail and payment' },
    });
    expect(ruled(alert('order'), [incident('a', ['payment'])]).to).toBe('new');
  });
});
