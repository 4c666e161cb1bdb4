import { useState } from 'react';
import type { Category, Decision, QueueItem } from '../../../shared/moderation.ts';
import { CommentText } from '../../conversation/text/comment-text.tsx';
import { AutorLink } from '../../ui/avatar.tsx';
import { RoleBadge } from '../../ui/role-badge.tsx';
import buttons from '../../ui/styles/button.module.css';
import { dot } from '../../ui/texts.ts';
import { shortDate } from '../../ui/time/short-date.ts';
import { Time } from '../../ui/time/time.tsx';
import { DecisionForm } from '../decisions/decision-form.tsx';
import { DecisionLine } from '../decisions/decision-line.tsx';
import { categories, categoryOf, categoryTexts, decidedTexts } from '../decisions/log-texts.ts';
import { isDestructive } from '../subject-actions.ts';
import { Part, Scrolled } from './card-parts.tsx';
import { type Choice, choicesOf } from './choices.ts';
import styles from './queue-card.module.css';
import { QueueContent } from './queue-content.tsx';
import { kindTexts } from './queue-texts.ts';
import { caseOf, isDecided } from './use-queue.ts';

/** Why a post awaits approval. */
const pendingReasons = {
  first_post: 'Primera publicación',
  links: 'Muchos enlaces con una cuenta nueva',
  channels: 'Muchos canales con una cuenta nueva',
  comments: 'Muchos comentarios con una cuenta nueva',
} satisfies Record<Exclude<QueueItem['pendingReason'], 'sign_up' | null>, string>;

export const headingId = (item: QueueItem) => `caso-${caseOf(item)}`;

interface QueueCardProps {
  item: QueueItem;
  /** Approves the item, which needs no form. */
  onApprove: () => void;
  onDone: (decision: Decision, isEarlier: boolean) => void;
}

/** A queue item: the content in its context, why it is here, its author, and the available decisions. */
export function QueueCard({ item, onApprove, onDone }: QueueCardProps) {
  /** The decision whose form is open. */
  const [opened, setOpened] = useState<Choice | null>(null);
  const { subject, author, appeal, reports, openedAt, decision, pendingReason } = item;
  const refusal = isDecided(item) ? null : item.refusal;
  const explanations = reports.texts.filter(({ text, said }) => text || said);
  const isReported = reports.count > 0;
  const isSignUp = pendingReason === 'sign_up';
  const id = headingId(item);
  // Derived again on each render: the version in an item changes with its content.
  const choices = choicesOf(item);
  return (
    <li className={`box ${styles.card}`}>
      <h2 id={id} tabIndex={-1}>
        {isSignUp ? (
          <>
            <bdi>{author.name}</bdi> <span>pide entrar</span>
          </>
        ) : (
          <>
            <span>{kindTexts[appeal ? 'appeal' : subject.kind]}</span> <bdi>{author.name}</bdi>
          </>
        )}
      </h2>
      <p>
        {pendingReason && !isSignUp && <strong>{pendingReasons[pendingReason]}</strong>}
        {isReported && <strong>{reasonsText(reports.reasons)}</strong>}
        {!appeal && !pendingReason && !isReported && (
          <strong>Editado en los primeros días, con un enlace o una imagen nuevos</strong>
        )}
        {isReported && <span>{dot + reportedBy(reports.count)}</span>}
        {!appeal && !isSignUp && <span>, </span>}
        <Time iso={openedAt} />
      </p>
      <QueueContent item={item} />
      {item.wrote.length > 0 && (
        <Part title="Lo último que ha escrito">
          {item.wrote.map((text, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the texts are never reordered
            <p key={index} className={`${styles.around} note clamped`} dir="auto">
              {text}
            </p>
          ))}
        </Part>
      )}
      {appeal && (
        <Part title="La decisión">
          <DecisionLine decision={appeal.decision} />
          <p className="note">Lo que responde</p>
          <Scrolled text={appeal.text}>
            <CommentText text={appeal.text} />
          </Scrolled>
        </Part>
      )}
      {explanations.length > 0 && (
        <Part title="Lo que dicen las denuncias">
          <ul className={`stack tight ${styles.part}`}>
            {explanations.map(({ reason, text, from, at, said }) => (
              <li key={`${at} ${text}`}>
                <Scrolled text={text}>{text && <q dir="auto">{text}</q>}</Scrolled>{' '}
                <span className="note">
                  <bdi>{from || 'Alguien sin cuenta'}</bdi>
                  <span>, </span>
                  <Time iso={at} />
                  <span>
                    {`, ${categoryTexts[reason]}${said === undefined ? '' : `${dot}decía entonces: `}`}
                  </span>
                  {said !== undefined && <q dir="auto">{said}</q>}
                </span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Author author={author} hasPage={!isSignUp} />
      {decision && <DecisionLine decision={decision} />}
      {opened ? (
        <DecisionForm
          key={opened.task.action}
          task={choices.find(({ task }) => task.action === opened.task.action)?.task ?? opened.task}
          label={opened.label}
          name={author.name}
          category={appeal?.decision.category ?? mostFrequent(reports.reasons)}
          onDone={(decision, isEarlier) => {
            setOpened(null);
            onDone(decision, isEarlier);
          }}
          onCancel={() => setOpened(null)}
        />
      ) : (
        <>
          {refusal && (
            <p id={`${id}-refusal`}>
              <strong>{refusal}</strong>
            </p>
          )}
          <fieldset
            className={`row tight ${styles.choices}`}
            disabled={refusal !== null}
            aria-labelledby={id}
            aria-describedby={refusal ? `${id}-refusal` : undefined}
          >
            {choices.map((choice) => (
              <button
                key={choice.task.action}
                type="button"
                className={buttons.quiet}
                data-destroys={isDestructive(choice.task.action) || undefined}
                data-action={choice.task.action}
                onClick={() => (choice.task.action === 'approve' ? onApprove() : setOpened(choice))}
              >
                {choice.label}
              </button>
            ))}
          </fieldset>
        </>
      )}
    </li>
  );
}

/**
 * The author: when the account was opened, and earlier decisions about it. An account has no page until it is
 * approved.
 */
function Author({ author, hasPage }: Pick<QueueItem, 'author'> & { hasPage: boolean }) {
  const { id, name, role, isImported, createdAt, invitedBy, history } = author;
  return (
    <Part title="Quién es">
      <p>
        {hasPage ? <AutorLink {...{ id, name, isImported }} /> : <bdi>{name}</bdi>}{' '}
        <RoleBadge role={role} />{' '}
        <span>
          {`desde el ${shortDate(createdAt)}${history.length === 0 ? `${dot}sin decisiones anteriores` : ''}`}
        </span>
        {invitedBy && (
          <span>
            <span>{`${dot}Invitación de `}</span>
            <bdi>{invitedBy}</bdi>
          </span>
        )}
      </p>
      {history.length > 0 && (
        <details>
          <summary>
            {history.length === 1
              ? '1 decisión anterior'
              : `${history.length} decisiones anteriores`}
          </summary>
          <ul className={`stack tight ${styles.part}`}>
            {history.map((earlier) => (
              <li key={earlier.id}>
                {[
                  decidedTexts[earlier.action],
                  categoryOf(earlier),
                  shortDate(earlier.at),
                  earlier.undoneAt && 'deshecha',
                ]
                  .filter(Boolean)
                  .join(dot)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Part>
  );
}

/** Categories by number of reports, highest first. */
const reasonsOf = (reasons: Record<string, number>): Category[] =>
  categories
    .filter((one) => reasons[one])
    .sort((one, other) => (reasons[other] ?? 0) - (reasons[one] ?? 0));

/** The category with the most reports. */
export const mostFrequent = (reasons: Record<string, number>) => reasonsOf(reasons)[0] ?? 'other';

function reasonsText(reasons: Record<string, number>): string {
  const given = reasonsOf(reasons);
  const texts = given.map((one) =>
    given.length > 1 ? `${categoryTexts[one]} (${reasons[one]})` : categoryTexts[one],
  );
  return texts.join(', ');
}

function reportedBy(count: number): string {
  return count === 1 ? 'lo denuncia 1 persona' : `lo denuncian ${count} personas`;
}
