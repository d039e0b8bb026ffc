import type { Call } from '../call.ts';

/** Awk can run commands and write files; most programs only print. */
export function judgeAwk(code: string, call: Call): void {
  const bare = code.replace(/"(?:\\.|[^"\\])*"/g, '""');
  if (/\bsystem\b|\bgetline\b|@(?:load|include|\w+\s*\()/.test(bare))
    return call.ask('runs an awk program that starts others or reads other files');
  if (/\|&?\s*""|""\s*\||\|\s*\w+|\|&/.test(bare.replace(/\|\|/g, ' ')))
    return call.ask('runs an awk program that starts others');
  if (/\bprintf?\b[^;}\n]*>{1,2}/.test(bare)) {
    const target = /\bprintf?\b[^;}\n]*>{1,2}\s*"(\/dev\/(?:stderr|stdout))"/.test(code);
    if (!target) return call.ask('runs an awk program that writes files');
  }
  if (/\bENVIRON\b/.test(bare)) call.showsPrivate('reads the environment');
  if (/\/inet[46]?\//.test(code)) call.ask('runs an awk program that opens a connection');
}
