import { loadConditions } from '../template/condition.ts';
import { loadTemplates } from '../template/templates.ts';
import type { Readers } from './references.ts';

/** Loads what reads templates and conditions: neither is needed before a workflow is checked or run. */
export async function loadReaders(): Promise<Readers> {
  const [templates, conditions] = await Promise.all([loadTemplates(), loadConditions()]);
  return { templates, conditions };
}
