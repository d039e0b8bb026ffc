import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { thinkTagSplitter } from './think-tags.ts';

/** What comes out of the given deltas, neighbours joined. */
function sorted(...deltas: string[]): { thinking: string; text: string; closed: boolean } {
  const splitter = thinkTagSplitter();
  const events = [...deltas.flatMap((delta) => splitter.push(delta)), ...splitter.end()];
  const join = (type: string) =>
    events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');
  return {
    thinking: join('thinking'),
    text: join('text'),
    closed: events.some(({ type }) => type === 'thinking_end'),
  };
}

describe('thinkTagSplitter', () => {
  it('sorts thinking from text', () => {
    expect(sorted('<think>Hm.</think>\n\nHello')).toEqual({ thinking: 'Hm.', text: 'Hello', closed: true });
    expect(sorted('\n <think>Hm.</think>')).toEqual({ thinking: 'Hm.', text: '', closed: true });
  });

  it('leaves text alone that has no tag at its start', () => {
    for (const text of [
      'Hello',
      '  Hello',
      'Use <think> tags </think> here',
      '<thinking>x',
      '<',
      '<thi',
      '\n',
    ]) {
      expect(sorted(text)).toEqual({ thinking: '', text, closed: false });
    }
  });

  it('shows text at once, and thinking but for what may be half a tag', () => {
    const splitter = thinkTagSplitter();
    expect(splitter.push('<thi')).toEqual([]);
    expect(splitter.push('nk>Hm')).toEqual([{ type: 'thinking', text: 'Hm' }]);
    expect(splitter.push('m</th')).toEqual([{ type: 'thinking', text: 'm' }]);
    expect(splitter.push('is is not it')).toEqual([{ type: 'thinking', text: '</this is not it' }]);
    expect(splitter.push('</think>')).toEqual([{ type: 'thinking', text: '' }, { type: 'thinking_end' }]);
    expect(splitter.push('\n')).toEqual([]);
    expect(splitter.push('Hel')).toEqual([{ type: 'text', text: 'Hel' }]);
    expect(splitter.push(' lo')).toEqual([{ type: 'text', text: ' lo' }]);
  });

  it('gives what is left as thinking when the tag never closed', () => {
    expect(sorted('<think>never</thin')).toEqual({ thinking: 'never</thin', text: '', closed: false });
  });

  it('has nothing more to say after its end', () => {
    const splitter = thinkTagSplitter();
    splitter.push('<th');
    expect(splitter.end()).toEqual([{ type: 'text', text: '<th' }]);
    expect(splitter.end()).toEqual([]);
  });

  it('does not care how the text was cut', () => {
    const space = fc.constantFrom('', ' ', '\n\n');
    const pieces = fc.constantFrom(
      '<think>',
      '</think>',
      '<',
      '</',
      'think',
      '>',
      ' ',
      '\n',
      'a',
      '池',
      '🙂',
    );
    const some = fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join(''));
    const tagged = fc.tuple(space, fc.constant('<think>'), some, fc.constant('</think>'), space, some);
    const texts = fc.oneof(
      some,
      tagged.map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, fc.array(fc.nat(), { maxLength: 8 }), (text, cuts) => {
        const inside = cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b);
        const places = [0, ...inside, text.length];
        const deltas = places.slice(1).map((end, index) => text.slice(places[index], end));
        expect(sorted(...deltas)).toEqual(sorted(text));
      }),
      { numRuns: 500 },
    );
  });
});
