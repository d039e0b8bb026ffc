import { definePage } from '../../domains/pages/define-page.ts';
import { useWaiting } from '../../domains/requests/use-waiting.ts';

export const page = definePage({
  path: '/approvals',
  nav: {
    label: { en: 'Approvals', zh: '审批' },
    group: 'operate',
    order: 20,
    key: 'a',
    icon: 'M3 8.5 6.2 12 13 4.5',
    useCount: () => useWaiting().count ?? 0,
  },
  load: () => import('./approvals-page.tsx'),
});
