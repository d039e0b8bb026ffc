export { diagnose } from './rca/diagnose.ts';
