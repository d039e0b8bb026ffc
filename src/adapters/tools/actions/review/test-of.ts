import { posix } from 'node:path';

/** Where the test of a source usually stands, likeliest first. */
export function testNames(path: string): string[] {
  const { dir, name, ext } = posix.parse(path);
  const inDir = (file: string) => (dir === '' ? file : `${dir}/${file}`);
  const below = (folder: string, file: string) => [inDir(`${folder}/${file}`), `${folder}/${file}`];
  switch (ext) {
    case '.py':
      return [
        inDir(`test_${name}.py`),
        inDir(`${name}_test.py`),
        ...below('tests', `test_${name}.py`),
        ...below('test', `test_${name}.py`),
      ];
    case '.go':
      return [inDir(`${name}_test.go`)];
    case '.rs':
      return [`tests/${name}.rs`];
    case '.java':
      return [path.replace('/main/', '/test/').replace(/\.java$/, 'Test.java')];
    default:
      return [
        inDir(`${name}.test${ext}`),
        inDir(`${name}.spec${ext}`),
        ...below('__tests__', `${name}.test${ext}`),
        ...below('test', `${name}.test${ext}`),
        ...below('tests', `${name}.test${ext}`),
      ];
  }
}
