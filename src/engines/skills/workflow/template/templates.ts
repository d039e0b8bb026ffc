import { isRecord } from '#kit/is-record';
import { lookUp, type Scope } from './look-up.ts';
import { hasHoles, type Template, templateParser } from './parse-template.ts';
import { type RenderMode, renderTemplate } from './render-template.ts';
import { type NamedPath, rootsOf } from './template-roots.ts';

/** The templates of workflows. What a text means is decided by the author's text alone, never by a value. */
export interface Templates {
  /** A text with everything filled in. */
  render(text: string, scope: Scope, mode: RenderMode): string;
  /** Any value: texts in it are filled in; one that is nothing but a reference becomes what it refers to. */
  expand(value: unknown, scope: Scope): unknown;
  /** The paths that a text names, as far as they start from the root. */
  paths(text: string): readonly NamedPath[];
}

export async function loadTemplates(): Promise<Templates> {
  const parse = await templateParser();
  const known = new Map<string, Template>();
  const read = (text: string): Template => {
    const template = known.get(text) ?? parse(text);
    known.set(text, template);
    return template;
  };
  const expand = (value: unknown, scope: Scope): unknown => {
    if (typeof value === 'string') {
      if (!hasHoles(value)) return value;
      const template = read(value);
      return template.whole ? lookUp(scope, template.whole) : renderTemplate(template, scope, 'text');
    }
    if (Array.isArray(value)) return value.map((item) => expand(item, scope));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expand(item, scope)]));
  };
  return {
    render: (text, scope, mode) => (hasHoles(text) ? renderTemplate(read(text), scope, mode) : text),
    expand,
    paths: (text) => (hasHoles(text) ? rootsOf(read(text)) : []),
  };
}
