import { expect, it } from 'vitest';
import { safeLink } from './safe-link.ts';

it.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', '//host/path', '/path', '', 'no'])(
  '%s is no link',
  (address) => expect(safeLink(address)).toBeUndefined(),
);

it.each(['https://grafana.example/d/1?x=1', 'http://127.0.0.1:9090/graph'])('%s is a link', (address) =>
  expect(safeLink(address)).toBe(address),
);
