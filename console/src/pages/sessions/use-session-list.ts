import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { listSessions, sessionQueries } from '../../domains/sessions/sessions-api.ts';

const PAGE_SIZE = 100;

/** Every conversation that fits, as far as somebody has scrolled. The newest page is asked for again and again. */
export function useSessionList(text: string) {
  const filter = useMemo(() => ({ limit: PAGE_SIZE, ...(text ? { text } : {}) }), [text]);
  const query = useQuery({ ...sessionQueries.list(filter), placeholderData: (before) => before });
  const older = useInfiniteQuery({
    queryKey: ['older-conversations', filter],
    queryFn: ({ pageParam, signal }) =>
      listSessions({ ...filter, ...(pageParam === undefined ? {} : { before: pageParam }) }, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length < PAGE_SIZE ? undefined : last.at(-1)?.updatedAt),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: (query.data?.length ?? 0) >= PAGE_SIZE,
  });
  const items = useMemo(() => {
    const newest = query.data ?? [];
    // A conversation that somebody went on with moves to the top: there it is new.
    const known = new Set(newest.map(({ id }) => id));
    const below = newest.length < PAGE_SIZE ? [] : (older.data?.pages.flat() ?? []);
    return [...newest, ...below.filter(({ id }) => !known.has(id))];
  }, [query.data, older.data]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = older;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  return { query, items, more: hasNextPage, loadMore };
}
