import { tell, type Text } from '#kit/text';
import type { Language } from '#kit/language';
import type { ReviewIssue } from './review-file.ts';
import { isTestPath, kindOf } from '../source-file.ts';

/** What is good about a change, where it can be told for sure. */
export function positivesOf(
  files: readonly string[],
  issues: readonly ReviewIssue[],
  language: Language,
): { readonly message: string }[] {
  const sources = files.filter((path) => !/^(?:other|yaml|docker)$/.test(kindOf(path)) && !isTestPath(path));
  const tests = files.filter(isTestPath);
  const documents = files.filter((path) => /\.(?:md|rst|adoc)$/i.test(path));
  const found: Text[] = [];
  if (sources.length > 0 && tests.length > 0)
    found.push(
      tell(
        `Tests were changed along with the code (${tests.length}).`,
        `代码改动附带了测试(${tests.length} 个)。`,
      ),
    );
  if (documents.length > 0 && sources.length > 0)
    found.push(tell('The documents were brought up to date.', '同步更新了文档。'));
  if (sources.length > 0 && !issues.some(({ area }) => area === 'security'))
    found.push(tell('No finding about security.', '未发现安全问题。'));
  if (files.length > 0 && files.length <= 5)
    found.push(tell('A small change that is easy to follow.', '改动小,易于审阅。'));
  return found.map((said) => ({ message: said[language] }));
}
