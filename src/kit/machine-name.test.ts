import { describe, expect, it } from 'vitest';
import { machineName, namesMachine } from './machine-name.ts';

describe('machineName', () => {
  it.each([
    [{ 'k8s.node.name': 'worker-3', 'host.name': 'cart-7d9f' }, 'worker-3'],
    [{ k8s_node_name: 'worker-3' }, 'worker-3'],
    [{ instance: '10.0.4.7:9100' }, '10.0.4.7'],
    [{ node: '', hostname: 'db-host' }, 'db-host'],
  ])('reads %o', (attributes, machine) => {
    expect(machineName(attributes)).toBe(machine);
  });

  it('takes no address of a request and no replica for a machine', () => {
    const attributes = { 'http.host': 'shop.example', 'k8s.pod.name': 'cart-1', 'host.name': 7 };
    expect(machineName(attributes)).toBeUndefined();
    expect(Object.keys(attributes).filter(namesMachine)).toEqual(['host.name']);
  });
});
