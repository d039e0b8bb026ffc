import { imageKind } from './image-runner.ts';

export const sandbox = imageKind('apptainer');
