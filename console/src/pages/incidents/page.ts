import { useQuery } from '@tanstack/react-query';
import { queries } from '../../domains/api/queries.ts';
import { OPEN_COUNTED, OPEN_STATES } from '../../domains/incident/tones.ts';
import { definePage } from '../../domains/pages/define-page.ts';

export const page = definePage({
  path: '/incidents',
  nav: {
    label: { en: 'Incidents', zh: '事故' },
    group: 'operate',
    order: 10,
    key: 'i',
    icon: 'M8 2.5 14 13H2L8 2.5zM8 6.5v3M8 11.3v.1',
    useCount: () =>
      useQuery(queries.incidents({ states: OPEN_STATES, limit: OPEN_COUNTED })).data?.length ?? 0,
  },
  load: () => import('./incidents-page.tsx'),
});
