export { type GitRepository, gitRepository } from './git-repository.ts';
export { type TarEntry, tarOf } from './tar-of.ts';
export { type ZipEntry, zipOf } from './zip-of.ts';
