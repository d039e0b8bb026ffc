import { definePage } from '../../domains/pages/define-page.ts';

export const page = definePage({
  path: '/',
  nav: {
    label: { en: 'Overview', zh: '总览' },
    group: 'operate',
    order: 0,
    key: 'o',
    icon: 'M2.5 3h4.5v5H2.5zM9 3h4.5v3H9zM9 8h4.5v5H9zM2.5 10h4.5v3H2.5z',
  },
  load: () => import('./overview-page.tsx'),
});
