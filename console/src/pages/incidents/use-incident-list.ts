import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import type { IncidentState, IncidentSummary } from '#spec/data';
import { api } from '../../domains/api/api.ts';
import { queries } from '../../domains/api/queries.ts';
import { afterDay, dateOf } from '../../domains/format/day.ts';
import { useFacts } from '../../domains/live/live.tsx';
import { mergePages } from './merge-pages.ts';

const PAGE_SIZE = 100;

interface Asked {
  readonly states: readonly IncidentState[] | undefined;
  readonly service: string;
  readonly text: string;
  /** Days, both part of it; empty ones set no bound. */
  readonly from: string;
  readonly to: string;
}

/** Every incident that fits, as far as somebody has scrolled. An event makes the newest page stale, not all of them. */
export function useIncidentList({ states, service, text, from, to }: Asked) {
  const client = useQueryClient();
  const filter = useMemo(() => {
    const first = dateOf(from);
    const last = dateOf(to);
    return {
      limit: PAGE_SIZE,
      ...(states ? { states } : {}),
      ...(service ? { service } : {}),
      ...(text ? { text } : {}),
      ...(first ? { from: first.getTime() } : {}),
      ...(last ? { before: afterDay(last).getTime() } : {}),
    };
  }, [states, service, text, from, to]);
  const query = useQuery({ ...queries.incidents(filter), placeholderData: (before) => before });
  const older = useInfiniteQuery({
    queryKey: ['older-incidents', filter],
    queryFn: ({ pageParam, signal }) =>
      api.incidents({ ...filter, ...(pageParam === undefined ? {} : { before: pageParam }) }, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length < PAGE_SIZE ? undefined : last.at(-1)?.createdAt),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: (query.data?.length ?? 0) >= PAGE_SIZE,
  });
  const pages = useMemo(() => older.data?.pages.flat() ?? [], [older.data]);
  const { items, torn } = useMemo(() => mergePages(query.data ?? [], pages, PAGE_SIZE), [query.data, pages]);
  const readAgain = useCallback(
    () => void client.invalidateQueries({ queryKey: ['older-incidents'] }),
    [client],
  );
  useEffect(() => {
    if (torn) readAgain();
  }, [torn, readAgain]);
  useFacts(({ stream }) => {
    const newest = query.data ?? [];
    if (pages.some(({ id }) => id === stream) && !newest.some(({ id }) => id === stream)) readAgain();
  });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = older;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  return { query, items, more: hasNextPage, loadMore };
}

/** Services that incidents name: of the newest, and of those that are shown. */
export function useServices(shown: readonly IncidentSummary[]): readonly string[] {
  const { data = [] } = useQuery(queries.incidents({ limit: PAGE_SIZE }));
  return useMemo(
    () => [...new Set([...data, ...shown].flatMap(({ services }) => services))].toSorted(),
    [data, shown],
  );
}
