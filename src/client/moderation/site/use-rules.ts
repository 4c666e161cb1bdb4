import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Rules } from '../../../shared/site-settings.ts';
import { defineCall } from '../../api/call.ts';
import { publicKeys } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';

const getRules = defineCall<void, Rules>('GET', apiRoutes.rules);

/** The community's rules and contact. The rules page embeds them as they were when it was served. */
export function useRules({ enabled = true } = {}) {
  return useQuery({
    queryKey: publicKeys.rules,
    queryFn: async ({ signal }): Promise<Pick<Rules, 'rules' | 'contact'>> =>
      request(getRules, undefined, { signal }),
    enabled,
  });
}
