import { definePage } from '../../domains/pages/define-page.ts';

export const page = definePage({
  path: '/sessions',
  nav: {
    label: { en: 'Sessions', zh: '会话' },
    group: 'agent',
    order: 20,
    key: 'e',
    icon: 'M2.5 3.5h11M2.5 6.5h7M2.5 9.5h11M2.5 12.5h5',
  },
  load: () => import('./sessions-page.tsx'),
});
