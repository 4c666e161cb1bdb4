import { useQueryClient } from '@tanstack/react-query';
import { useStore } from '../../state/store-provider.tsx';
import { personQuery } from './person-queries.ts';

/** @returns a function that asks again about a person, whose page may be missing or may be there again */
export function usePersonAgain() {
  const { dispatch } = useStore();
  const queryClient = useQueryClient();
  return (id: string) => {
    queryClient.invalidateQueries({ queryKey: personQuery(id).queryKey });
    dispatch({ type: 'ADDRESS_MISSING', address: null });
  };
}
