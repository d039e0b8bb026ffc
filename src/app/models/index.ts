export { LOCAL, type ModelRef, type Models, parseRef } from './models.ts';
