import type { ProgramTable } from '../call.ts';
import { buildTools } from './build-tools.ts';
import { builtins } from './builtins.ts';
import { cloudPrograms } from './cloud.ts';
import { compilers } from './compilers.ts';
import { containers } from './containers.ts';
import { databases } from './databases.ts';
import { files } from './files.ts';
import { gitPrograms } from './git.ts';
import { interpreters } from './interpreters.ts';
import { kubernetes } from './kubernetes.ts';
import { linters } from './linters.ts';
import { network } from './network.ts';
import { nodeTools } from './node-tools.ts';
import { packages } from './packages.ts';
import { pythonPackages } from './python-packages.ts';
import { pythonTools } from './python-tools.ts';
import { shells } from './shells.ts';
import { systemPackages } from './system-packages.ts';
import { system } from './system.ts';
import { text } from './text.ts';
import { toolchains } from './toolchains.ts';
import { webClients } from './web-clients.ts';

/** Every program that is known, by its name. What is not here asks. */
export const PROGRAMS: ProgramTable = Object.assign(
  Object.create(null) as Record<string, never>,
  text,
  files,
  gitPrograms,
  network,
  webClients,
  interpreters,
  packages,
  buildTools,
  compilers,
  linters,
  nodeTools,
  pythonPackages,
  pythonTools,
  systemPackages,
  toolchains,
  containers,
  kubernetes,
  cloudPrograms,
  databases,
  system,
  shells,
  builtins,
);
