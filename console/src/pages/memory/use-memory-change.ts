import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLanguage } from '../../domains/language/language.tsx';

/** A change of the memory: whatever is shown of it is asked for again. */
export function useMemoryChange<Given, Result>(
  change: (given: Given) => Promise<Result>,
  done?: (result: Result, given: Given) => void,
) {
  const client = useQueryClient();
  const { language } = useLanguage();
  const mutation = useMutation<Result, Error, Given>({
    mutationFn: change,
    onSuccess: (result, given) => done?.(result, given),
    onSettled: () => client.invalidateQueries({ queryKey: ['memory'] }),
  });
  return { ...mutation, language };
}
