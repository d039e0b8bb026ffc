import { fail } from '#kit/app-error';
import type { OtlpTarget } from '../telemetry/otlp-exporter.ts';
import { isServiceName, type ServiceName } from './service-names.ts';

/** What a process of a service must know when it starts. */
export interface ServiceEnvironment {
  readonly service: ServiceName;
  /** Databases and logs. */
  readonly folder: string;
  readonly registryFile: string;
  /** 0 is any. */
  readonly port: number;
  /** How often it has been started again after crashes. */
  readonly restarts: number;
  readonly otlp?: OtlpTarget;
}

type Variables = Readonly<Record<string, string | undefined>>;

export const writeEnvironment = (
  folder: string,
  registryFile: string,
  otlp: OtlpTarget | undefined,
): Record<string, string> => ({
  // Small heaps: memory that grows is to be a fault, not garbage that nobody has collected yet.
  NODE_OPTIONS: '--max-old-space-size=80 --max-semi-space-size=4',
  DEMO_FOLDER: folder,
  DEMO_REGISTRY: registryFile,
  DEMO_OTLP_URL: otlp?.url ?? '',
  DEMO_OTLP_TOKEN: otlp?.token ?? '',
});

export const writePlace = (port: number, restarts: number): Record<string, string> => ({
  DEMO_PORT: String(port),
  DEMO_RESTARTS: String(restarts),
});

export function readEnvironment(service: string, variables: Variables): ServiceEnvironment {
  if (!isServiceName(service)) throw fail('input.invalid', `The demo has no service '${service}'.`);
  const { DEMO_FOLDER: folder, DEMO_REGISTRY: registryFile } = variables;
  if (!folder || !registryFile)
    throw fail('input.invalid', 'A service of the demo is started by the demo.', 'Run `hermes demo`.');
  const { DEMO_OTLP_URL: url, DEMO_OTLP_TOKEN: token } = variables;
  return {
    service,
    folder,
    registryFile,
    port: Number(variables['DEMO_PORT'] ?? 0),
    restarts: Number(variables['DEMO_RESTARTS'] ?? 0),
    ...(url ? { otlp: { url, ...(token ? { token } : {}) } } : {}),
  };
}
