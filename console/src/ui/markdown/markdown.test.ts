import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Markdown } from './markdown.tsx';

const html = (text: string): string => renderToStaticMarkup(createElement(Markdown, { text }));

it.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '**<b onmouseover="x()">**',
  '`<script>`',
  '| <i>a</i> | b |\n|---|---|\n| <svg/onload=x> | c |',
  '- <style>*{}</style>',
  '# <iframe>',
])('%s makes no element of its own', (text) => {
  expect(html(text)).not.toMatch(/<(?:script|img|b|i|svg|style|iframe)\b/);
  expect(html(text)).toContain('&lt;');
});

it.each([
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  '/api/session',
  '//x.example',
])('a link to %s is no link', (address) => {
  expect(html(`[click](${address})`)).not.toContain('<a');
  expect(html(`[click](${address})`)).toContain('click');
});

it('a link of the web opens elsewhere and tells nothing of this page', () => {
  expect(html('[docs](https://a.example/x)')).toContain(
    '<a href="https://a.example/x" target="_blank" rel="noopener noreferrer">docs</a>',
  );
});

it('an address cannot end its attribute', () => {
  expect(html('[a](https://a.example/"onclick="x)')).not.toMatch(/"onclick=/);
});
