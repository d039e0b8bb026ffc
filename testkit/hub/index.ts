export { type GitRepository, gitRepository } from './git-repository.ts';
export { packed } from './packed.ts';
export { type TarEntry, tarOf } from './tar-of.ts';
export { type ZipEntry, zipOf } from './zip-of.ts';
