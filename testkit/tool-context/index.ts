export { toolContext } from './tool-context.ts';
