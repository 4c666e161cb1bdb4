import { useRef } from 'react';
import type { Decision, QueueItem } from '../../../shared/moderation.ts';
import { assetRoutes, pageRoutes, withQuery } from '../../../shared/routes.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { go, Link } from '../../router/navigation.tsx';
import { Paged } from '../../ui/loading/more-link.tsx';
import { Note } from '../../ui/notice.tsx';
import { showStatus } from '../../ui/status/status-bar.tsx';
import empty from '../../ui/styles/empty-page.module.css';
import { decidedBeforeText, decidedText } from '../decisions/decision-texts.ts';
import { decide, decisionOf, staffFailureText } from '../decisions/staff-calls.ts';
import { actionText } from '../subject-actions.ts';
import { headingId, mostFrequent, QueueCard } from './queue-card.tsx';
import { caseOf, isAlsoOf, isDecided, type useQueue } from './use-queue.ts';

interface QueueProps {
  queue: ReturnType<typeof useQueue>;
  items: QueueItem[];
  /** The address of the page without its cursor. */
  href: string;
}

/** The queue's items. */
export function Queue({ queue, items, href }: QueueProps) {
  const { hasNextPage, refetch, setDecision, isOpenToSpam, others } = queue;
  const list = useRef<HTMLOListElement>(null);
  const approving = useRef(new Set<string>());

  const focusedCard = () => list.current?.querySelector(':scope > :focus-within');
  const focusHeading = (heading: HTMLElement | null | undefined) => {
    heading?.focus({ preventScroll: true });
    heading?.closest('li')?.scrollIntoView({ block: 'start' });
  };
  /** Whether the moderator moved to another item before the response arrived. */
  const isElsewhere = (item: QueueItem) =>
    focusedCard()?.contains(document.getElementById(headingId(item)) ?? null) === false;
  /** Opens the form that undoes a decision, at its item, or leads to the list that still has it. */
  const openUndo = (item: QueueItem) => {
    const heading = document.getElementById(headingId(item));
    const button = heading?.closest('li')?.querySelector<HTMLElement>('[data-action="undo"]');
    if (!button) return go(withQuery(pageRoutes.moderation, { state: 'decided' }));
    focusHeading(heading);
    button.click();
  };
  const done = (item: QueueItem, decision: Decision, isEarlier: boolean) => {
    const isUndoing = item.appeal === null && decision.undoes !== null;
    // Undoing a decision removes it from the list and returns a rejected account to the queue. An appeal ends when its
    // decision is undone.
    if (decision.undoneAt || isUndoing) void refetch();
    else setDecision(item, decision);
    if (!isEarlier) {
      const canUndo = !decision.isFinal && !decision.undoes;
      const action = { label: actionText('undo', item.author.name), run: () => openUndo(item) };
      showStatus({ text: decidedText(decision), ...(canUndo && { action, isBrief: true }) });
    }
    if (isElsewhere(item)) return;
    const index = items.indexOf(item);
    const others = [...items.slice(index + 1), ...items.slice(0, index)];
    const next =
      isEarlier || isUndoing
        ? item
        : others.find((one) => !isDecided(one) && !isAlsoOf(decision, one, item));
    requestAnimationFrame(() => focusHeading(document.getElementById(headingId(next ?? item))));
  };
  /** Approves an item, which needs no reason and no form. Other items can be approved before the response arrives. */
  const approve = async (item: QueueItem) => {
    const { subject, version } = item;
    if (approving.current.has(version)) return;
    approving.current.add(version);
    const answer = await orFailure(request(decide, { subject, version, action: 'approve' }));
    approving.current.delete(version);
    const decision = decisionOf(answer);
    if (decision) done(item, decision, answer instanceof Failure);
    if (!(answer instanceof Failure)) return;
    const before = decision && decidedBeforeText(decision);
    showStatus({ text: before ?? `No se pudo aprobar. ${staffFailureText(answer)}` });
    if (answer.problem && !decision) void refetch();
  };

  if (items.length === 0 && !hasNextPage) {
    if (others.length > 0) return null;
    return (
      <div className={`page ${empty.page}`}>
        <img src={assetRoutes.azulejo('moderacion')} width={1000} height={400} alt="" />
        <p className="note">Todo al día.</p>
      </div>
    );
  }
  return (
    <>
      {isOpenToSpam && items.some((item) => mostFrequent(item.reports.reasons) === 'spam') && (
        <Note>
          Si entra publicidad,{' '}
          <Link href={pageRoutes.siteSettings}>
            puedes revisar la primera publicación de cada cuenta
          </Link>
          .
        </Note>
      )}
      <ol ref={list} className="stack">
        {items.map((item) => (
          <QueueCard
            key={caseOf(item)}
            item={item}
            onApprove={() => approve(item)}
            onDone={(decision, isEarlier) => done(item, decision, isEarlier)}
          />
        ))}
      </ol>
      <Paged query={queue} href={href} label="Más" />
    </>
  );
}
