import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Rules } from '../../shared/site-settings.ts';
import { defineCall } from '../api/call.ts';
import { answerOf } from '../api/query-client.ts';
import { request } from '../api/request.ts';
import { useStore } from '../state/store-provider.tsx';

const getRules = defineCall<void, Rules>('GET', apiRoutes.rules, { has: 'rules' });

/** The community's rules and whom to ask, which are embedded in the page of the rules. */
export function useRules({ enabled = true } = {}) {
  const { rules, contact = null } = useStore().site;
  return useQuery({
    queryKey: ['rules'],
    queryFn: async ({ signal }): Promise<Pick<Rules, 'rules' | 'contact'>> =>
      answerOf(await request(getRules, undefined, { signal })),
    initialData: rules === undefined ? undefined : { rules, contact: contact ?? '' },
    refetchOnMount: rules === undefined,
    enabled,
  });
}
