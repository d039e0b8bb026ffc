import { describe, expect, it } from 'vitest';
import { childText, parseXml } from './strict-xml.ts';

describe('parseXml', () => {
  it('reads elements, text and CDATA', () => {
    const root = parseXml(
      '<?xml version="1.0" encoding="UTF-8"?>\n<xml><a>1 &lt; 2 &#20013;&#x6587;</a><b><![CDATA[<c>&amp;</c>]]></b><d/><e><f>x</f></e></xml>\n',
    );
    expect(childText(root, 'a')).toBe('1 < 2 中文');
    expect(childText(root, 'b')).toBe('<c>&amp;</c>');
    expect(childText(root, 'd')).toBe('');
    expect(childText(root, 'z')).toBeUndefined();
    expect(root.children[3]?.children[0]).toMatchObject({ name: 'f', text: 'x' });
  });

  it.each([
    ['a document type', '<!DOCTYPE x><x/>'],
    ['entities of its own', '<x>&lol;</x>'],
    ['an entity without an end', '<x>&amp</x>'],
    ['a character that is none', '<x>&#0;</x>'],
    ['attributes', '<x a="1"/>'],
    ['a comment', '<x><!-- y --></x>'],
    ['an instruction', '<x><?php 1?></x>'],
    ['an element that is not closed', '<x><y></x>'],
    ['an element that closes nothing', '</x>'],
    ['two roots', '<x/><x/>'],
    ['text outside', 'a<x/>'],
    ['CDATA that does not end', '<x><![CDATA[a</x>'],
    ['nothing', ''],
    ['depth', `${'<x>'.repeat(50)}${'</x>'.repeat(50)}`],
    ['many elements', `<x>${'<y/>'.repeat(501)}</x>`],
  ])('refuses %s', (_, source) => expect(() => parseXml(source)).toThrow(/cannot be read/));

  it('refuses two of what there should be one of', () =>
    expect(() => childText(parseXml('<x><a>1</a><a>2</a></x>'), 'a')).toThrow(/more than one/));
});
