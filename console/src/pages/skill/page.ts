import { definePage } from '../../domains/pages/define-page.ts';

export const page = definePage({ path: '/skills/:name', load: () => import('./skill-page.tsx') });
