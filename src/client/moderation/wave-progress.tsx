import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Decision } from '../../shared/moderation.ts';
import { failureText } from '../api/failures.ts';
import { accountKey, answerOf } from '../api/query-client.ts';
import { request } from '../api/request.ts';
import buttons from '../components/button.module.css';
import { LoadFailure } from '../components/notice.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { useExclusive } from '../components/use-exclusive.ts';
import { useUser } from '../state/store-provider.tsx';
import { getDecision, undoDecision } from './moderation-calls.ts';
import { decisionTexts, queueTexts, waveTexts } from './moderation-texts.ts';
import styles from './wave.module.css';

const intervalMs = 1000;

/** A wave that was decided: how much is left to hide, or to show again once it is undone. */
export function WaveProgress({ id }: { id: string }) {
  const { id: userId } = useUser();
  const queryClient = useQueryClient();
  const queryKey = [...accountKey(userId), 'decision', id];
  const {
    data: wave,
    error,
    refetch,
  } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => answerOf(await request(getDecision, id, { signal })),
    refetchInterval: ({ state }) => Number(state.data?.remaining) > 0 && intervalMs,
  });
  const { run: undo } = useExclusive(async () => {
    const result = await request(undoDecision, id);
    if (result.ok) return queryClient.setQueryData<Decision>(queryKey, result.value);
    return showStatus({ text: `${queueTexts.notUndone} ${failureText(result)}` });
  });

  if (error) return <LoadFailure message={failureText(error.failure)} onRetry={() => refetch()} />;
  if (!wave) return null;
  const { remaining, accounts, undoneAt } = wave;
  const [doing, done] = undoneAt ? (['shows', 'shown'] as const) : (['hides', 'hidden'] as const);
  return (
    <div className={styles.progress}>
      <p role="status">{waveTexts[remaining > 0 ? doing : done](accounts)}</p>
      {remaining > 0 && (
        <label>
          {waveTexts.remaining(remaining, accounts)}
          <progress max={accounts} value={accounts - remaining} />
        </label>
      )}
      {!undoneAt && (
        <button type="button" className={buttons.quiet} onClick={undo}>
          {decisionTexts.undo}
        </button>
      )}
    </div>
  );
}
