import { type Dispatch, useEffect, useState } from 'react';
import type { Bin as BinContent } from '../../shared/bin.ts';
import { restoreChannel } from '../channels/channel-tools.tsx';
import { restoreComment } from '../comments/delete-comment.ts';
import buttons from '../components/button.module.css';
import { LoadFailure } from '../components/notice.tsx';
import { shortDate } from '../components/short-date.ts';
import { Loading } from '../components/spinner.tsx';
import type { Action } from '../state/actions.ts';
import { useStore } from '../state/store-provider.tsx';
import { texts } from '../texts.ts';
import { accountApi } from './account-api.ts';
import styles from './bin.module.css';
import { binTexts } from './bin-texts.ts';

interface BinItem {
  key: string;
  kind: string;
  text: string;
  expiresAt: string;
  restore: (dispatch: Dispatch<Action>) => Promise<boolean>;
}

/** The deleted comments and channels of the account, with buttons to restore them. */
export function Bin() {
  const { dispatch } = useStore();
  const [items, setItems] = useState<BinItem[] | 'loading' | 'failed'>('loading');
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry increments `attempt` to load again
  useEffect(() => {
    const controller = new AbortController();
    accountApi.getBin(controller.signal).then((result) => {
      if (!controller.signal.aborted) setItems(result.ok ? itemsOf(result.value) : 'failed');
    });
    return () => controller.abort();
  }, [attempt]);

  const restore = async (item: BinItem, heading: HTMLElement | null) => {
    if (!(await item.restore(dispatch))) return;
    setItems((shown) => (Array.isArray(shown) ? shown.filter((one) => one !== item) : shown));
    // The button that had the focus is removed.
    heading?.focus();
  };

  return (
    <section className={styles.bin} aria-labelledby="papelera">
      <h2 id="papelera" tabIndex={-1}>
        {binTexts.title}
      </h2>
      {items === 'loading' && <Loading label={texts.loading} />}
      {items === 'failed' && (
        <LoadFailure message={binTexts.failed} onRetry={() => setAttempt(attempt + 1)} />
      )}
      {Array.isArray(items) && items.length === 0 && (
        <p className={styles.note}>{binTexts.empty}</p>
      )}
      {Array.isArray(items) && items.length > 0 && (
        <ul className={styles.list}>
          {items.map((item) => (
            <li key={item.key} className={styles.item}>
              <div className={styles.what}>
                <p className={styles.note}>{item.kind}</p>
                <p className={styles.text} dir="auto">
                  {item.text}
                </p>
                <p className={styles.note}>{binTexts.until(shortDate(item.expiresAt))}</p>
              </div>
              <button
                type="button"
                className={buttons.quiet}
                aria-label={binTexts.restoreItem(item.text)}
                onClick={() => restore(item, document.getElementById('papelera'))}
              >
                {binTexts.restore}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function itemsOf({ data, channels }: BinContent): BinItem[] {
  const deleted = [
    ...data.map(({ comment, channelName, deletedAt, expiresAt }) => ({
      key: comment.id,
      kind: binTexts.commentIn(channelName),
      text: comment.comment,
      deletedAt,
      expiresAt,
      restore: (dispatch: Dispatch<Action>) => restoreComment(comment, dispatch),
    })),
    ...channels.map(({ channelId, name, deletedAt, expiresAt }) => ({
      key: channelId,
      kind: binTexts.channel,
      text: name,
      deletedAt,
      expiresAt,
      restore: (dispatch: Dispatch<Action>) => restoreChannel(channelId, dispatch),
    })),
  ];
  return deleted.sort((a, b) => b.deletedAt.localeCompare(a.deletedAt));
}
