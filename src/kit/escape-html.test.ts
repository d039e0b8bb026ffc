import { expect, it } from 'vitest';
import { escapeHtml } from './escape-html.ts';

it('leaves nothing that ends a text or an attribute', () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;</a>\n支付`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;\n支付',
  );
});
