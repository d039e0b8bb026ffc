import { describe, expect, it } from 'vitest';
import { asksStore, peerName } from './peer-name.ts';

describe('peerName', () => {
  it.each([
    [{ 'peer.service': 'bank', 'server.address': 'api.bank.example' }, 'bank'],
    [{ 'server.address': 'https://api.bank.example:443/v1' }, 'api.bank.example'],
    [{ net_peer_name: 'orders.shop.svc.cluster.local' }, 'orders'],
    [{ 'server.address': '10.0.0.7', 'db.namespace': 'ledger' }, 'ledger'],
  ])('reads %o', (attributes, name) => {
    expect(peerName(attributes)).toBe(name);
  });

  it('names nobody by numbers', () => {
    expect(peerName({ 'server.address': '127.0.0.1:8080' })).toBeUndefined();
  });
});

describe('asksStore', () => {
  it('is told by any attribute of databases', () => {
    expect(asksStore({ 'db.operation.name': 'SELECT' })).toBe(true);
    expect(asksStore({ 'server.address': 'db.example' })).toBe(false);
  });
});
