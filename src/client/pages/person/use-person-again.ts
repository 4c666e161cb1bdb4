import { useQueryClient } from '@tanstack/react-query';
import { useStore } from '../../state/store-provider.tsx';
import { personQuery } from './person-queries.ts';

/** @returns a function that refetches a person and clears the NotFound page, which may no longer apply */
export function usePersonAgain() {
  const { dispatch } = useStore();
  const queryClient = useQueryClient();
  return (id: string) => {
    void queryClient.invalidateQueries({ queryKey: personQuery(id).queryKey });
    dispatch({ type: 'ADDRESS_MISSING', address: null });
  };
}
