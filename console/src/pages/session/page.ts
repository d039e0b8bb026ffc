import { definePage } from '../../domains/pages/define-page.ts';

export const page = definePage({ path: '/sessions/:id', load: () => import('./session-page.tsx') });
