import { useQuery } from '@tanstack/react-query';
import { queries } from '../../domains/api/queries.ts';
import { waitingCalls } from '../../domains/requests/requests-api.ts';
import { useMay } from '../../domains/session/session.tsx';
import { definePage } from '../../domains/pages/define-page.ts';

export const page = definePage({
  path: '/approvals',
  nav: {
    label: { en: 'Approvals', zh: '审批' },
    group: 'operate',
    order: 20,
    key: 'a',
    icon: 'M3 8.5 6.2 12 13 4.5',
    useCount: () => {
      const proposed = useQuery(queries.approvals()).data ?? [];
      const calls = useQuery(waitingCalls(useMay('approver'))).data ?? [];
      return proposed.filter(({ state }) => state === 'pending').length + calls.length;
    },
  },
  load: () => import('./approvals-page.tsx'),
});
