import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

const KEYS = ['provider', 'model', 'base_url', 'api_key', 'language', 'temperature'];

describe('nearest', () => {
  it.each([
    ['providr', 'provider'],
    ['provdier', 'provider'],
    ['Model', 'model'],
    ['mdoel', 'model'],
    ['baseurl', 'base_url'],
    ['temprature', 'temperature'],
    ['langauge', 'language'],
    ['model', 'model'],
  ])('takes %s for %s', (word, meant) => {
    expect(nearest(word, KEYS)).toBe(meant);
  });

  it.each(['colour', 'x', '', 'providers_and_models', '模型'])('has no guess for %j', (word) => {
    expect(nearest(word, KEYS)).toBeUndefined();
  });

  it('prefers the closest, and of equals the first', () => {
    expect(nearest('models', ['modals', 'model', 'models!'])).toBe('modals');
    expect(nearest('cat', ['car', 'can'])).toBe('car');
  });

  it('counts a swap of neighbours as one edit', () => {
    expect(nearest('ab', ['ba'])).toBe('ba');
    expect(nearest('ab', ['cd'])).toBeUndefined();
  });

  it('has no guess where there is nothing to choose from', () => {
    expect(nearest('model', [])).toBeUndefined();
  });
});
