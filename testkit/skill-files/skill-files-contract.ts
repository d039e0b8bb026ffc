import { describe, expect, it } from 'vitest';
import { AppError } from '#kit/app-error';
import type { SkillRoot } from '#spec/data';
import type { SkillFiles } from '#spec/ports';

/** Folders of skills under test: empty at first. `put` writes past the port, as a user would. */
export interface SkillPlace {
  readonly files: SkillFiles;
  put(root: SkillRoot, path: string, text: string): Promise<void>;
  remove(root: SkillRoot, path: string): Promise<void>;
  close(): Promise<void>;
}

const WORKFLOW = 'skill:\n  name: monitor\n';
const DOCUMENT = '---\nname: deploy\ndescription: x\n---\n# Deploy 部署\n';

/** What every implementation of `SkillFiles` does. */
export function describeSkillFiles(name: string, open: () => Promise<SkillPlace>): void {
  const on = (test: (place: SkillPlace) => Promise<void>) => async () => {
    const place = await open();
    try {
      await test(place);
    } finally {
      await place.close();
    }
  };
  const paths = async ({ files }: SkillPlace) =>
    (await files.scan()).map(({ root, path }) => `${root} ${path}`);

  describe(`${name}: finding skill files`, () => {
    it(
      'finds documents and workflows of every root, with who is to be believed',
      on(async (place) => {
        expect(await place.files.scan()).toEqual([]);
        await place.put('builtin', 'devops/deploy/SKILL.md', DOCUMENT);
        await place.put('home', 'monitor.yaml', WORKFLOW);
        await place.put('home', 'deep/down/other.yml', `# a comment\n${WORKFLOW}`);
        await place.put('project', 'deploy/SKILL.md', DOCUMENT);
        await place.put('plugin', 'p/SKILL.md', DOCUMENT);
        const found = await place.files.scan();
        expect(found.map(({ root, path, trust }) => [root, path, trust])).toEqual([
          ['project', 'deploy/SKILL.md', 'community'],
          ['home', 'monitor.yaml', 'user'],
          ['home', 'deep/down/other.yml', 'user'],
          ['plugin', 'p/SKILL.md', 'trusted'],
          ['builtin', 'devops/deploy/SKILL.md', 'builtin'],
        ]);
        expect(found[0]?.text).toBe(DOCUMENT);
        expect(found[0]?.changedAt).toBeGreaterThan(0);
      }),
    );

    it(
      'leaves out what is no skill',
      on(async (place) => {
        await place.put('home', 'a/SKILL.md', DOCUMENT);
        await place.put('home', 'a/config.yaml', WORKFLOW);
        await place.put('home', 'a/more/flow.yaml', WORKFLOW);
        await place.put('home', 'a/assets/SKILL.md', DOCUMENT);
        await place.put('home', 'a/inner/SKILL.md', DOCUMENT);
        await place.put('home', 'plain.yaml', 'steps:\n  skill: no\n');
        await place.put('home', 'notes.md', DOCUMENT);
        for (const hidden of ['.archive', '.quarantine', '.hub'])
          await place.put('home', `${hidden}/b/SKILL.md`, DOCUMENT);
        expect(await paths(place)).toEqual(['home a/SKILL.md', 'home a/inner/SKILL.md']);
      }),
    );

    it(
      'sees what was added, changed and removed since the last scan',
      on(async (place) => {
        await place.put('home', 'a/SKILL.md', 'one');
        expect((await place.files.scan())[0]?.text).toBe('one');
        await place.put('home', 'a/SKILL.md', 'two');
        await place.put('home', 'b.yaml', WORKFLOW);
        expect((await place.files.scan()).map(({ text }) => text)).toEqual([WORKFLOW, 'two']);
        await place.remove('home', 'a/SKILL.md');
        expect(await paths(place)).toEqual(['home b.yaml']);
      }),
    );

    it(
      'reads files, and tells what lies beside a document',
      on(async (place) => {
        await place.put('home', 'a/SKILL.md', DOCUMENT);
        await place.put('home', 'a/references/api.md', 'api');
        await place.put('home', 'a/scripts/run.sh', 'echo');
        await place.put('home', 'b.yaml', WORKFLOW);
        expect(await place.files.beside('home', 'a/SKILL.md')).toEqual([
          'references/api.md',
          'scripts/run.sh',
        ]);
        expect(await place.files.beside('home', 'b.yaml')).toEqual([]);
        expect(await place.files.beside('home', 'none/SKILL.md')).toEqual([]);
        const bytes = await place.files.read('home', 'a/references/api.md');
        expect(new TextDecoder().decode(bytes)).toBe('api');
        expect(await place.files.read('home', 'a/none.md')).toBeUndefined();
        expect(await place.files.read('builtin', 'a/SKILL.md')).toBeUndefined();
        for (const path of ['../x', '/etc/passwd', 'a/../../x', 'a//b', '', 'a\\b', 'a\0b'])
          await expect(place.files.read('home', path)).rejects.toMatchObject({
            record: { code: 'input.invalid' },
          });
      }),
    );
  });

  describe(`${name}: writing skill files`, () => {
    it(
      'writes and removes together',
      on(async (place) => {
        await place.put('home', 'old/SKILL.md', 'old');
        await place.files.write([
          { path: 'new/SKILL.md', text: 'new' },
          { path: 'new/references/a.md', text: 'a' },
          { path: 'old/SKILL.md', text: undefined },
        ]);
        expect(await paths(place)).toEqual(['home new/SKILL.md']);
        await place.files.write([{ path: 'new/SKILL.md', text: 'newer' }]);
        expect((await place.files.scan())[0]?.text).toBe('newer');
        expect(await place.files.beside('home', 'new/SKILL.md')).toEqual(['references/a.md']);
      }),
    );

    it(
      'changes nothing when one of them cannot be written',
      on(async (place) => {
        await place.put('home', 'a/SKILL.md', 'before');
        await place.put('home', 'folder/SKILL.md', 'x');
        for (const broken of ['folder', 'a/SKILL.md/below', '../outside.md', '/tmp/outside.md']) {
          const changes = [
            { path: 'first/SKILL.md', text: 'first' },
            { path: 'a/SKILL.md', text: 'after' },
            { path: broken, text: 'broken' },
          ];
          await expect(place.files.write(changes), broken).rejects.toBeInstanceOf(AppError);
          expect(await paths(place)).toEqual(['home a/SKILL.md', 'home folder/SKILL.md']);
          expect((await place.files.scan())[0]?.text).toBe('before');
        }
      }),
    );

    it(
      'lets several write at once',
      on(async (place) => {
        await Promise.all(
          Array.from({ length: 12 }, (_, at) =>
            place.files.write([
              { path: 'both/a.md', text: `${at}` },
              { path: 'both/b.md', text: `${at}` },
            ]),
          ),
        );
        const [a, b] = await Promise.all(
          ['both/a.md', 'both/b.md'].map(async (path) => String(await place.files.read('home', path))),
        );
        expect(a).toBe(b);
      }),
    );
  });
}
