import { z } from 'zod';

const SIZE = /^(\d+(?:\.\d+)?)([kmg])b?$/i;
const TO_MB: Readonly<Record<string, number>> = { k: 1 / 1024, m: 1, g: 1024 };

/** `512m` or `2g`, as the engines write it, in megabytes. */
const Memory = z
  .string()
  .regex(SIZE, 'must be a size such as 512m or 2g')
  .transform((text) => {
    const [, amount = '0', unit = 'm'] = SIZE.exec(text) ?? [];
    return Math.ceil(Number(amount) * (TO_MB[unit.toLowerCase()] ?? 1));
  });

const AbsolutePath = z.string().startsWith('/', 'must be an absolute path');

/** Sharing the network of this machine, or of another container, would undo the isolation. */
const Network = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]*$/, "must be 'none' or the name of a network")
  .refine((name) => name !== 'host', { message: "the network of this machine is not shared: use 'bridge'" });

/** The options of `docker` and `podman` in `backends.yaml`. */
export const ContainerOptions = z.strictObject({
  image: z.string().min(1).default('docker.io/library/debian:stable-slim'),
  network: Network.default('none'),
  memory: Memory.optional(),
  cpus: z.number().positive().optional(),
  pids: z.number().int().min(16).optional(),
  /** Folders of this machine that commands may read, besides the workspace. */
  mounts: z.array(z.strictObject({ source: AbsolutePath, target: AbsolutePath })).default([]),
  /** `uid:gid`. Without it, whoever Hermes runs as, or the owner of the workspace; never root by itself. */
  user: z
    .string()
    .regex(/^\d+(:\d+)?$/, 'must be uid or uid:gid')
    .optional(),
});
export type ContainerOptions = z.infer<typeof ContainerOptions>;
