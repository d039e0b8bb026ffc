import type { ProgramTable } from '../call.ts';
import { builtins } from './builtins.ts';
import { cloudPrograms } from './cloud.ts';
import { containers } from './containers.ts';
import { databases } from './databases.ts';
import { files } from './files.ts';
import { gitPrograms } from './git.ts';
import { interpreters } from './interpreters.ts';
import { network } from './network.ts';
import { packages } from './packages.ts';
import { shells } from './shells.ts';
import { system } from './system.ts';
import { text } from './text.ts';

/** Every program that is known, by its name. What is not here asks. */
export const PROGRAMS: ProgramTable = Object.assign(
  Object.create(null) as Record<string, never>,
  text,
  files,
  gitPrograms,
  network,
  interpreters,
  packages,
  containers,
  cloudPrograms,
  databases,
  system,
  shells,
  builtins,
);
