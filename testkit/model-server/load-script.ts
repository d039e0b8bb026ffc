import { fail } from '#kit/app-error';
import { parseDocument } from 'yaml';
import { describeIssues } from './describe-issues.ts';
import { Script } from './script.ts';

/** Throws with every mistake named by its path. */
export function checkScript(value: unknown, name = 'script'): Script {
  const parsed = Script.safeParse(value);
  if (parsed.success) return parsed.data;
  throw fail('config.invalid', describeIssues(parsed.error, name));
}

/** Reads a script file's text: YAML, of which JSON is a part. */
export function loadScript(text: string, fileName: string): Script {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem) throw fail('config.invalid', `${fileName}: ${problem.message}`, undefined, problem);
  return checkScript(document.toJS(), `${fileName}: script`);
}
