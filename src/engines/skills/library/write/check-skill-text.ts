import { fail } from '#kit/app-error';
import { readFrontmatter } from '../document/read-frontmatter.ts';
import { MOST_DESCRIPTION, MOST_NAME } from '../document/parse-document.ts';
import { line } from '../document/read-fields.ts';
import { splitFrontmatter } from '../document/split-frontmatter.ts';

const SKILL_NAME = /^[a-z0-9][a-z0-9._-]*$/;
const MOST_CHARS = 100_000;

/** Fails with what is wrong with a name that somebody wants to give a skill. */
export function checkSkillName(name: string): void {
  if (SKILL_NAME.test(name) && name.length <= MOST_NAME) return;
  throw fail(
    'input.invalid',
    `'${name}' cannot be the name of a skill`,
    `Use at most ${MOST_NAME} of a-z, 0-9, '.', '_' and '-', beginning with a letter or a digit`,
  );
}

/** Strict where somebody writes: what is read leniently from others is refused in a text of our own. */
export function checkSkillText(text: string): void {
  const wrong = (problem: string, fix: string) => fail('input.invalid', problem, fix);
  if (text.length > MOST_CHARS) {
    throw wrong(
      `The text has ${text.length} characters, more than ${MOST_CHARS}`,
      'Move parts into references/',
    );
  }
  const { yaml, body, line: start } = splitFrontmatter(text);
  if (yaml === undefined) {
    throw wrong('The text has no frontmatter', 'Begin with --- name: … description: … ---');
  }
  const { fields, fault } = readFrontmatter(yaml);
  if (fault) {
    throw wrong(
      `Line ${start + fault.line - 1} of the frontmatter is not valid YAML: ${fault.problem}`,
      'Put quotes around values with a colon',
    );
  }
  if (!line(fields['name'])) throw wrong('The frontmatter has no name', 'Add name: …');
  const description = line(fields['description']);
  if (!description) {
    throw wrong(
      'The frontmatter has no description',
      'Say in a sentence what the skill does and when to use it',
    );
  }
  if (description.length > MOST_DESCRIPTION) {
    throw wrong(`The description is longer than ${MOST_DESCRIPTION} characters`, 'Shorten it');
  }
  if (!body) throw wrong('There is no text below the frontmatter', 'Write down the steps');
}
