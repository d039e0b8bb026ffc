export { ASKED } from './asked.ts';
export { ALLOWED } from './benign.ts';
export { DENIED } from './denied.ts';
