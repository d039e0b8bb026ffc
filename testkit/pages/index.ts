export { type Pages, openPages } from './open-pages.ts';
