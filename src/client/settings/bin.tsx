import { type Dispatch, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Bin as BinContent } from '../../shared/bin.ts';
import type { CommentImage } from '../../shared/comments.ts';
import { pageRoutes } from '../../shared/routes.ts';
import type { Result } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { restoreChannel } from '../channels/channel-tools.tsx';
import { restoreComment } from '../comments/delete-comment.ts';
import buttons from '../components/button.module.css';
import { focusElement } from '../components/focus-element.ts';
import { commentImageSources } from '../components/image-sources.ts';
import { MoreLink } from '../components/more-link.tsx';
import { LoadFailure } from '../components/notice.tsx';
import type { Action } from '../state/actions.ts';
import { useStore } from '../state/store-provider.tsx';
import { shortDate } from '../time/short-date.ts';
import own from './bin.module.css';
import { binTexts } from './bin-texts.ts';
import styles from './settings.module.css';
import { listBin } from './settings-calls.ts';
import { SettingsSection } from './settings-section.tsx';

const headingId = 'papelera';

interface BinItem {
  key: string;
  kind: string;
  text: string;
  images: CommentImage[];
  expiresAt: string;
  restore: (dispatch: Dispatch<Action>) => Promise<boolean>;
}

/** The deleted comments and channels of the account, with buttons to restore them. */
export function Bin({ initial }: { initial: Result<BinContent> }) {
  const { dispatch } = useStore();
  const [items, setItems] = useState(() => itemsOf(initial));
  const [next, setNext] = useState(() => nextOf(initial));
  const load = async () => {
    const first = await request(listBin, null);
    setItems(itemsOf(first));
    setNext(nextOf(first));
  };
  const loadMore = async () => {
    const page = await request(listBin, next);
    const more = itemsOf(page);
    if (!more) return false;
    // flushSync renders the items now, so that one can be focused.
    flushSync(() => {
      setItems((shown) => [...(shown ?? []), ...more]);
      setNext(nextOf(page));
    });
    if (more[0]) focusElement(itemId(more[0]));
    return true;
  };

  const restore = async (item: BinItem) => {
    if (!(await item.restore(dispatch))) return;
    setItems((shown) => shown?.filter((one) => one !== item) ?? null);
    // The button that had the focus is removed.
    focusElement(headingId);
  };

  return (
    <SettingsSection id={headingId} title={binTexts.title}>
      {!items && <LoadFailure message={binTexts.failed} onRetry={load} />}
      {items?.length === 0 && !next && <p className={styles.note}>{binTexts.empty}</p>}
      {items && items.length > 0 && (
        <ul className={styles.list}>
          {items.map((item) => (
            <li key={item.key} id={itemId(item)} tabIndex={-1} className={styles.item}>
              <div className={styles.what}>
                <p className={styles.note}>{item.kind}</p>
                <p className={own.text} dir="auto">
                  {item.text}
                </p>
                {item.images.length > 0 && (
                  <p className={own.images}>
                    {item.images.map(({ url, alt }, index) => (
                      <img
                        key={url}
                        {...commentImageSources(url, item.images.length)}
                        width={80}
                        height={60}
                        alt={alt || binTexts.image(index + 1)}
                        loading="lazy"
                      />
                    ))}
                  </p>
                )}
                <p className={styles.note}>{binTexts.until(shortDate(item.expiresAt))}</p>
              </div>
              <button
                type="button"
                className={buttons.quiet}
                aria-label={binTexts.restoreItem(item.text)}
                onClick={() => restore(item)}
              >
                {binTexts.restore}
              </button>
            </li>
          ))}
        </ul>
      )}
      {next && (
        <MoreLink
          href={`${pageRoutes.settings}#${headingId}`}
          label={binTexts.more}
          failedText={binTexts.moreFailed}
          load={loadMore}
        />
      )}
    </SettingsSection>
  );
}

const itemId = ({ key }: BinItem) => `${headingId}-${key}`;

const nextOf = (result: Result<BinContent>) => (result.ok ? result.value.next : null);

/** Null when the bin could not be loaded. */
function itemsOf(result: Result<BinContent>): BinItem[] | null {
  if (!result.ok) return null;
  const { data, channels } = result.value;
  const deleted = [
    ...data.map(({ comment, channelName, deletedAt, expiresAt }) => ({
      key: comment.id,
      kind: binTexts.commentIn(channelName),
      text: comment.comment,
      images: comment.images,
      deletedAt,
      expiresAt,
      restore: (dispatch: Dispatch<Action>) => restoreComment(comment, dispatch),
    })),
    ...channels.map(({ channelId, name, deletedAt, expiresAt }) => ({
      key: channelId,
      kind: binTexts.channel,
      text: name,
      images: [],
      deletedAt,
      expiresAt,
      restore: (dispatch: Dispatch<Action>) => restoreChannel(channelId, dispatch),
    })),
  ];
  return deleted.sort((a, b) => b.deletedAt.localeCompare(a.deletedAt));
}
