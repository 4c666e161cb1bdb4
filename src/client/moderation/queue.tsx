import { useEffect, useRef, useState } from 'react';
import type { Decision, QueueItem } from '../../shared/moderation.ts';
import { assetRoutes, pageRoutes } from '../../shared/routes.ts';
import { failureText, refusalText } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { useAnchors } from '../components/anchors.tsx';
import { MoreLink } from '../components/more-link.tsx';
import { Note } from '../components/notice.tsx';
import { isPlainKey } from '../components/plain-key.ts';
import { showStatus } from '../components/status-bar.tsx';
import { useExclusive } from '../components/use-exclusive.ts';
import { Link } from '../router/navigation.tsx';
import { decide, undoDecision } from './moderation-calls.ts';
import styles from './moderation-page.module.css';
import { decidedTexts, queueTexts } from './moderation-texts.ts';
import { type Choice, choicesOf } from './queue-choices.ts';
import { headingId, mostFrequent, QueueCard } from './queue-item.tsx';
import { canUndo, caseOf, isDecided, type useQueue } from './use-queue.ts';

interface QueueProps {
  queue: ReturnType<typeof useQueue>;
  items: QueueItem[];
  /** The address of the page. */
  href: string;
}

/**
 * The items of the queue, one of which may have its form open. The keys `j` and `k` move between the headings of the
 * items, and the letters of the buttons act on the item that has the focus.
 */
export function Queue({ queue, items, href }: QueueProps) {
  const { hasNextPage, fetchNextPage, refetch, setDecision, setWriting, isOpenToSpam } = queue;
  const anchors = useAnchors();
  const list = useRef<HTMLOListElement>(null);
  const [open, setOpen] = useState<{ item: string; choice: Choice } | null>(null);

  const focusItem = (item: QueueItem | undefined) => {
    if (!item) return;
    const heading = anchors.find(headingId(item));
    heading?.focus({ preventScroll: true });
    heading?.closest('li')?.scrollIntoView({ block: 'start' });
  };
  const choose = (item: QueueItem, choice: Choice) => {
    if (choice.action === 'approve') {
      approve(item);
      return;
    }
    setOpen({ item: caseOf(item), choice });
    setWriting(true);
  };
  const close = () => {
    setOpen(null);
    setWriting(false);
  };
  const cancel = (item: QueueItem) => {
    close();
    anchors.focus(headingId(item));
  };
  const done = (item: QueueItem, decision: Decision) => {
    close();
    setDecision(item, decision);
    showStatus({ text: queueTexts.decided(decidedTexts[decision.action]) });
    const index = items.indexOf(item);
    const others = [...items.slice(index + 1), ...items.slice(0, index)];
    const next = others.find((one) => !isDecided(one));
    requestAnimationFrame(() => focusItem(next ?? item));
  };
  /** Needs no reason, and so no form. */
  const { run: approve } = useExclusive(async (item: QueueItem) => {
    const { subject, version } = item;
    const result = await request(decide, { subject, version, action: 'approve' });
    if (result.ok) return done(item, result.value);
    const { status = 0, decision } = result.problem ?? {};
    if (decision) setDecision(item, decision);
    else if ([403, 404, 409].includes(status)) refetch();
    showStatus({ text: `${queueTexts.notApproved} ${refusalText(result)}` });
  });
  const { run: undo } = useExclusive(async (item: QueueItem) => {
    if (!item.decision) return;
    const result = await request(undoDecision, item.decision.id);
    if (result.ok) setDecision(item, result.value);
    else refetch();
    const failed = result.ok ? '' : `${queueTexts.notUndone} ${failureText(result)}`;
    showStatus({ text: failed || queueTexts.undone });
    anchors.focus(headingId(item));
  });

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.shiftKey || !isPlainKey(event)) return;
      const key = event.key.toLowerCase();
      const cards = [...(list.current?.children ?? [])];
      const focused = cards.findIndex((card) => card.contains(document.activeElement));
      const item = items[focused];
      if (key === 'j' || key === 'k') {
        event.preventDefault();
        focusItem(items[key === 'j' ? focused + 1 : Math.max(0, focused - 1)]);
      } else if (!item || open?.item === caseOf(item)) {
        return;
      } else if (isDecided(item)) {
        if (key === 'z' && canUndo(item)) undo(item);
      } else if (!item.refusal) {
        const choice = choicesOf(item).find((one) => one.key === key);
        if (!choice) return;
        // The letter must not be typed into the form that opens.
        event.preventDefault();
        choose(item, choice);
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });

  const loadMore = async () => {
    const { isError, data } = await fetchNextPage();
    const first = data?.pages.at(-1)?.data[0];
    if (isError) return null;
    return first ? headingId(first) : '';
  };

  if (items.length === 0 && !hasNextPage) {
    return (
      <div className={styles.empty}>
        <img src={assetRoutes.azulejo('moderacion')} width={1000} height={400} alt="" />
        <p className={styles.note}>
          {queue.state === 'pending' ? queueTexts.noneHeld : queueTexts.empty}
        </p>
      </div>
    );
  }
  return (
    <>
      {isOpenToSpam && items.some((item) => mostFrequent(item.reports.reasons) === 'spam') && (
        <Note>
          {queueTexts.ifSpam} <Link href={pageRoutes.siteSettings}>{queueTexts.holdPosts}</Link>.
        </Note>
      )}
      <p className={`${styles.keys} ${styles.note}`}>{queueTexts.keys}</p>
      <ol ref={list} className={styles.list}>
        {items.map((item) => (
          <QueueCard
            key={caseOf(item)}
            item={item}
            opened={open?.item === caseOf(item) ? open.choice : null}
            onChoose={(choice) => choose(item, choice)}
            onCancel={() => cancel(item)}
            onDone={(decision) => done(item, decision)}
            onStale={() => refetch()}
            onUndo={() => undo(item)}
          />
        ))}
      </ol>
      {hasNextPage && (
        <MoreLink
          href={href}
          label={queueTexts.more}
          failedText={queueTexts.failed}
          load={loadMore}
        />
      )}
    </>
  );
}
