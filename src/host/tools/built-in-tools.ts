import { worldTools } from '#adapters/tools';
import { sessionTools } from '#engines/session';
import type { Tool } from '#spec/ports';

/** The tools that Hermes comes with. */
export const builtInTools = async (): Promise<Tool[]> => [...(await sessionTools()), ...(await worldTools())];
