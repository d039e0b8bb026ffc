import type { Tool } from '#spec/ports';
import { tools } from './tools.gen.ts';

/** The tools that drive nothing but the session itself. */
export const sessionTools = (): Promise<Tool[]> => Promise.all(Object.values(tools).map((load) => load()));
