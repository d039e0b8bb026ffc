import { nearest } from '#kit/nearest';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const FIELDS =
  'models keys rules fallback id contextWindow when reply fault times contains matches model protocol afterTool hasImage turn thinking signature redactedThinking text toolCalls stop usage chunk delayMs thinkingField name arguments kind key afterFrames bytes ms status retryAfter hint error plain input output cacheRead cacheWrite reasoning'.split(
    ' ',
  );

const pathText = (path: readonly PropertyKey[]) =>
  path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');

/** Of the ways a union failed, the one that got furthest is the one that was meant. */
function meant(branches: readonly (readonly Issue[])[]): readonly Issue[] {
  const depth = (issues: readonly Issue[]) =>
    Math.max(...issues.map((issue) => issue.path.length + (issue.code === 'unrecognized_keys' ? 1 : 0)), 0);
  return branches.toSorted((a, b) => depth(b) - depth(a))[0] ?? [];
}

function lines(issue: Issue, base: readonly PropertyKey[]): readonly string[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    return meant(issue.errors).flatMap((inner) => lines(inner, path));
  }
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const near = nearest(key, FIELDS);
      return `${pathText([...path, key])} is not known${near ? `; did you mean \`${near}\`?` : ''}`;
    });
  }
  return [`${pathText(path)}: ${issue.message}`];
}

/** Every mistake on a line of its own, each with the path of what is wrong. */
export function describeIssues(error: z.ZodError, name: string): string {
  return error.issues
    .flatMap((issue) => lines(issue, []))
    .map((line) => `${name}${line.startsWith('.') || line.startsWith('[') ? '' : ' '}${line}`)
    .join('\n');
}
