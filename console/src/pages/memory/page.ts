import { useQuery } from '@tanstack/react-query';
import { memoryQueries } from '../../domains/memory/memory-api.ts';
import { definePage } from '../../domains/pages/define-page.ts';

export const page = definePage({
  path: '/memory',
  nav: {
    label: { en: 'Memory', zh: '记忆' },
    group: 'learn',
    order: 10,
    key: 'y',
    icon: 'M3 3.5h10v9H3zM3 6.5h10M6.5 6.5v6',
    useCount: () => useQuery(memoryQueries.overview()).data?.waiting ?? 0,
  },
  load: () => import('./memory-page.tsx'),
});
