import { describe, expect, it } from 'vitest';
import { stemEnglish } from './stem-english.ts';

describe('stemEnglish', () => {
  it.each([
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['cats', 'cat'],
    ['agreed', 'agre'],
    ['plastered', 'plaster'],
    ['motoring', 'motor'],
    ['sing', 'sing'],
    ['conflated', 'conflat'],
    ['hopping', 'hop'],
    ['falling', 'fall'],
    ['filing', 'file'],
    ['happy', 'happi'],
    ['sky', 'sky'],
    ['relational', 'relat'],
    ['triplicate', 'triplic'],
    ['formalize', 'formal'],
    ['hopefulness', 'hope'],
    ['replacement', 'replac'],
    ['adoption', 'adopt'],
    ['controlling', 'control'],
    ['rate', 'rate'],
    ['is', 'is'],
  ])('makes %s %s', (word, stem) => {
    expect(stemEnglish(word)).toBe(stem);
  });

  it.each([
    ['deploy', 'deploys', 'deployed', 'deploying'],
    ['connect', 'connected', 'connection', 'connections', 'connecting'],
    ['restart', 'restarts', 'restarted', 'restarting'],
  ])('gives all forms of %s one stem', (...words) => {
    expect(new Set(words.map(stemEnglish)).size).toBe(1);
  });

  it.each(['v2', 'naïve', '回滚', 'x'])('leaves %s alone', (word) => {
    expect(stemEnglish(word)).toBe(word);
  });
});
