import { describe, expect, it } from 'vitest';
import { defineRoute, type Route } from '#spec/ports';
import { routeTable } from './route-table.ts';

const route = (method: Route['method'], path: string): Route =>
  defineRoute({ method, path, access: 'public', handle: () => Promise.resolve({ status: 200 }) });

describe('routeTable', () => {
  const routes = [
    route('GET', '/a/:id'),
    route('POST', '/a/:id'),
    route('GET', '/a/new'),
    route('GET', '/:x/:y/z'),
  ];
  const match = routeTable(routes);

  it('prefers what is written to what is named, wherever it stands in the list', () => {
    expect(match('GET', '/a/new')).toMatchObject({ route: { path: '/a/new' }, params: {} });
    expect(match('GET', '/a/b')).toMatchObject({ route: { path: '/a/:id' }, params: { id: 'b' } });
    expect(match('GET', '/a/b/z')).toMatchObject({ params: { x: 'a', y: 'b' } });
    expect(match('HEAD', '/a/b')).toMatchObject({ route: { method: 'GET' } });
  });

  it('compares what was sent, not what it could mean', () => {
    for (const path of ['/A/new/x', '/a/', '/a', '/%61/new', '/a/./new', '']) {
      expect(match('GET', path)).toEqual({ found: 'nothing' });
    }
  });

  it('takes no second route for the same', () => {
    expect(() => routeTable([route('GET', '/a/:id'), route('GET', '/a/:name')])).toThrow(/Two routes serve/);
  });
});
