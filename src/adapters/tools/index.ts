import type { Tool } from '#spec/ports';
import { file } from './file.gen.ts';

export { localFiles } from './local-files.ts';

/** The tools that read, write and search files. */
export const fileTools = (): Promise<Tool[]> => Promise.all(Object.values(file).map((load) => load()));
