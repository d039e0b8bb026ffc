import { definePage } from '../../domains/pages/define-page.ts';

export const page = definePage({ path: '/incidents/:id', load: () => import('./incident-page.tsx') });
