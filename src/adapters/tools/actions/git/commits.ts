import { dropHidden } from '#kit/hidden-characters';

/** Fields apart by US, records by RS: neither stands in a commit message. */
export const COMMIT_FORMAT = '%H%x1f%aI%x1f%an%x1f%s%x1f%b%x1e';

export interface Commit {
  readonly hash: string;
  readonly date: string;
  readonly author: string;
  readonly subject: string;
  readonly body: string;
  /** Of a conventional commit: `feat`, `fix`, … Otherwise `other`. */
  readonly type: string;
  readonly scope: string | undefined;
  readonly description: string;
  readonly breaking: boolean;
  /** Numbers of issues and pull requests that it names. */
  readonly refs: readonly number[];
}

export function parseCommits(output: string): Commit[] {
  return output
    .split('\x1e')
    .map((record) => record.trim())
    .filter(Boolean)
    .map((record) => {
      const [hash = '', date = '', author = '', subject = '', body = ''] = record
        .split('\x1f')
        .map(dropHidden);
      return {
        hash,
        date,
        author,
        subject,
        body: body.trim().slice(0, 4_000),
        ...conventional(subject, body),
      };
    });
}

function conventional(subject: string, body: string) {
  const [, type, scope, mark, description] = /^(\w+)(?:\(([^)]{1,60})\))?(!)?:\s+(.+)$/.exec(subject) ?? [];
  const refs = [...`${subject}\n${body}`.matchAll(/(?:^|[\s(])#(\d{1,9})\b/g)].map(([, number]) =>
    Number(number),
  );
  return {
    type: type?.toLowerCase() ?? 'other',
    scope,
    description: description ?? subject,
    breaking: mark === '!' || /^BREAKING[ -]CHANGE:/m.test(body),
    refs: [...new Set(refs)],
  };
}

/** The revisions after `from` up to `to`, as words of git. */
export const rangeWords = (from: string | undefined, to: string): string[] => [
  from === undefined ? to : `${from}..${to}`,
];
