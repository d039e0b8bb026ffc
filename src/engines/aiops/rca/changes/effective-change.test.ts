import { describe, expect, it } from 'vitest';
import type { Change } from '#spec/data';
import { effectiveChanges } from './effective-change.ts';

const at = (minute: number): string => `2026-01-01T10:${String(minute).padStart(2, '0')}:00Z`;
const commit = (id: string, minute: number, files: string[]): Change => ({
  id,
  kind: 'commit',
  time: at(minute),
  summary: id,
  details: { files },
});
const deploy = (id: string, minute: number, service: string, sha?: string): Change => ({
  id,
  kind: 'deploy',
  service,
  time: at(minute),
  summary: id,
  ...(sha === undefined ? {} : { details: { commit: sha } }),
});
const found = (changes: readonly Change[], id: string) =>
  effectiveChanges(changes).find(({ change }) => change.id === id);

describe('effectiveChanges', () => {
  it('lets a commit begin with the deploy that names it, and takes the two for one', () => {
    const changes = [commit('abcdef1234', 1, ['pkg/x.go']), deploy('d1', 9, 'cart', 'abcdef1')];
    expect(found(changes, 'abcdef1234')).toMatchObject({
      services: ['cart'],
      at: Date.parse(at(9)) / 1000,
      sure: 1,
    });
    expect(found(changes, 'd1')).toBeUndefined();
  });

  it('lets a commit ride on the next deploy of the service whose files it touches', () => {
    const changes = [
      commit('abcdef1234', 3, ['services/cart/x.go']),
      deploy('d0', 1, 'cartservice'),
      deploy('d1', 5, 'mail'),
      deploy('d2', 8, 'cartservice'),
    ];
    expect(found(changes, 'abcdef1234')?.deploy?.id).toBe('d2');
  });

  it('lets a commit to what belongs to no service ride on any next deploy, and is less sure of it', () => {
    const changes = [commit('abcdef1234', 3, ['retry/backoff.go']), deploy('d1', 5, 'mail')];
    const { deploy: carrier, sure = 1 } = found(changes, 'abcdef1234') ?? {};
    expect(carrier?.id).toBe('d1');
    expect(sure).toBeLessThan(1);
  });

  it('doubts a commit that nobody deployed', () => {
    const changes = [commit('abcdef1234', 30, ['services/cart/x.go']), deploy('d0', 1, 'cartservice')];
    expect(found(changes, 'abcdef1234')).toMatchObject({ sure: 0.25, deploy: undefined });
  });

  it('lets flags and deploys without a commit begin at once', () => {
    expect(found([deploy('d1', 5, 'mail')], 'd1')).toMatchObject({ services: ['mail'], sure: 1 });
  });
});
