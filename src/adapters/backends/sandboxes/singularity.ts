import { imageKind } from '../containers/image-runner.ts';

export const sandbox = imageKind('singularity');
