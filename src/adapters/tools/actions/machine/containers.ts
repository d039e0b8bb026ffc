import { z } from 'zod';
import { isRecord } from '#kit/is-record';
import { commandLine } from '../../running/command-line.ts';
import { ContainerName } from '../endpoint.ts';

export const Engine = z.enum(['auto', 'docker', 'podman']).default('auto');
export type Engine = z.infer<typeof Engine>;
export const Backend = z.string().min(1).optional().describe('a named place of backends.yaml');
export const OneContainer = { container: ContainerName, engine: Engine, backend: Backend };

/** `auto`: Docker, and Podman where that fails. Only for what may be tried twice. */
export const engineLine = (engine: Engine, words: readonly string[]): string =>
  engine === 'auto'
    ? `${commandLine(['docker', ...words])} || ${commandLine(['podman', ...words])}`
    : commandLine([engine, ...words]);

interface Container {
  readonly id: string;
  readonly name: string;
  readonly image: string;
  /** `running`, `exited`, … */
  readonly state: string;
  readonly status: string;
  readonly ports: string;
}

/** Lines of JSON, as both engines print them with `{{json .}}`. */
export function parseContainers(output: string): Container[] {
  return output.split('\n').flatMap((line) => {
    if (!line.trimStart().startsWith('{')) return [];
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      // A line that is no record is a remark.
      return [];
    }
    return isRecord(value) ? [containerOf(value)] : [];
  });
}

function containerOf(record: Record<string, unknown>): Container {
  const text = (...keys: readonly string[]): string => {
    const found = keys.map((key) => record[key]).find((field) => field !== undefined && field !== null);
    if (Array.isArray(found))
      return found.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry))).join(', ');
    return typeof found === 'string' ? found : found === undefined ? '' : JSON.stringify(found);
  };
  const status = text('Status');
  const state = text('State').toLowerCase();
  return {
    id: text('ID', 'Id').slice(0, 12),
    name: text('Names', 'Name').split(', ')[0] ?? '',
    image: text('Image'),
    state: state || (/^up/i.test(status) ? 'running' : 'exited'),
    status,
    ports: text('Ports'),
  };
}
