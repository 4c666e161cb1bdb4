import { type ReactNode, useState } from 'react';
import {
  type Category,
  categories,
  type Decision,
  type QueueItem,
} from '../../shared/moderation.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { CommentImages } from '../comments/comment-images.tsx';
import { CommentText } from '../comments/comment-text.tsx';
import { AutorLink, Avatar } from '../components/avatar.tsx';
import buttons from '../components/button.module.css';
import notices from '../components/notice.module.css';
import { RoleBadge } from '../components/role-badge.tsx';
import { CommentVersions, MarkedText } from '../moderation/comment-versions.tsx';
import { DecisionForm, type Task } from '../moderation/decision-form.tsx';
import { DecisionLine } from '../moderation/decision-line.tsx';
import { type StaffAction, staffTexts } from '../moderation/decision-texts.ts';
import { categoryTexts, decidedTexts, logTexts } from '../moderation/log-texts.ts';
import { actionTexts, isDestructive } from '../moderation/subject-actions.ts';
import { Link } from '../router/navigation.tsx';
import { texts } from '../texts.ts';
import { shortDate } from '../time/short-date.ts';
import { TimeAgo } from '../time/time-ago.tsx';
import { placeOf } from './other-decisions.tsx';
import styles from './queue-card.module.css';
import { queueTexts } from './queue-texts.ts';
import { caseOf, isDecided } from './use-queue.ts';

const states = {
  hidden: 'Está oculto',
  deleted: 'Quien lo escribió lo ha eliminado',
  erased: 'Se ha borrado para siempre',
  held: 'Espera a que alguien lo apruebe',
} as const;

/** Why something waits. */
const holdReasons = {
  first_post: 'Primera publicación',
  links: 'Muchos enlaces con una cuenta nueva',
  channels: 'Muchos canales con una cuenta nueva',
  comments: 'Muchos comentarios con una cuenta nueva',
  sign_up: 'Pide entrar',
} satisfies Record<NonNullable<QueueItem['held']>, string>;

export const headingId = (item: QueueItem) => `caso-${caseOf(item)}`;

/** A decision on offer, with its key. */
interface Choice {
  key: string;
  label: string;
  task: Task;
}

/** The decisions that an item of the queue asks for, or to undo its decision. */
function choicesOf(item: QueueItem): Choice[] {
  const { subject, version, state, author, appeal, held, decision } = item;
  if (decision) {
    const undo = { action: 'undo', decision } as const;
    const isOver = decision.isFinal || decision.undoneAt;
    return isOver ? [] : [{ key: 'z', label: actionTexts.undo, task: undo }];
  }
  if (appeal) {
    const { id, decision: appealed } = appeal;
    const uphold = { subject: { kind: 'appeal', id }, action: 'dismiss' } as const;
    const grant = { action: 'undo', decision: appealed, appeal: id } as const;
    return [
      { key: 'm', label: 'Mantener', task: uphold },
      { key: 'd', label: 'Dar la razón', task: grant },
    ];
  }
  const choice = (key: string, action: Exclude<StaffAction, 'undo'>): Choice => ({
    ...{ key, label: actionTexts[action] },
    task: { subject, version, action },
  });
  if (held) {
    const all = choice('a', 'hideAll');
    const task = { subject: { kind: 'user', id: author.id }, action: 'hideAll' } as const;
    const whole = held === 'sign_up' ? [] : [{ ...all, task }];
    return [choice('p', 'approve'), choice('x', 'reject'), ...whole];
  }
  const isShown = subject.kind !== 'user' && state !== 'erased' && state !== 'hidden';
  return [
    ...(isShown ? [choice('h', 'hide')] : []),
    choice('t', 'dismiss'),
    choice('s', 'silence'),
    choice('u', 'suspend'),
    choice('a', 'hideAll'),
  ];
}

interface QueueCardProps {
  item: QueueItem;
  /** Approves it, which needs no form. */
  onApprove: () => void;
  onDone: (decision: Decision, isEarlier: boolean) => void;
}

/** An item of the queue: the content in its context, why it is here, whose it is, and the decisions on offer. */
export function QueueCard({ item, onApprove, onDone }: QueueCardProps) {
  /** The decision whose form is open. */
  const [opened, setOpened] = useState<Choice | null>(null);
  const { subject, author, appeal, reports, openedAt, decision, held } = item;
  const refusal = isDecided(item) ? '' : item.refusal;
  const explanations = reports.texts.filter(({ text, said }) => text || said);
  const isReported = reports.count > 0;
  const id = headingId(item);
  // The version of an item changes with its content.
  const choices = choicesOf(item);
  return (
    <li className={`box ${styles.card}`}>
      <h2 id={id} tabIndex={-1}>
        <span>{queueTexts.kinds[appeal ? 'appeal' : subject.kind]}</span> <bdi>{author.name}</bdi>
      </h2>
      <p>
        {held && <strong>{holdReasons[held]}</strong>}
        {isReported && <strong>{reasonsText(reports.reasons)}</strong>}
        {!appeal && !held && !isReported && (
          <strong>Editado en los primeros días, con una dirección o una imagen nuevas</strong>
        )}
        {isReported && <span>{` · ${reportedBy(reports.count)}`}</span>}
        {!appeal && <span> · </span>}
        <TimeAgo iso={openedAt} />
      </p>
      <Content item={item} />
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
          <ul className={styles.part}>
            {explanations.map(({ reason, text, from, at, said }) => (
              <li key={`${at} ${text}`}>
                <Scrolled text={text}>{text && <q dir="auto">{text}</q>}</Scrolled>{' '}
                <span className="note">
                  <bdi>{from || 'Alguien sin cuenta'}</bdi>
                  <span>, </span>
                  <TimeAgo iso={at} />
                  <span>
                    {` · ${categoryTexts[reason]}${said === undefined ? '' : ' · decía entonces: '}`}
                  </span>
                  {said !== undefined && <q dir="auto">{said}</q>}
                </span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Author author={author} hasPage={held !== 'sign_up'} />
      {decision && <DecisionLine decision={decision} />}
      {opened ? (
        <DecisionForm
          key={opened.key}
          task={choices.find(({ key }) => key === opened.key)?.task ?? opened.task}
          label={opened.label}
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
            className={styles.choices}
            disabled={refusal !== ''}
            aria-labelledby={id}
            aria-describedby={refusal ? `${id}-refusal` : undefined}
          >
            {choices.map((choice) => (
              <button
                key={choice.key}
                type="button"
                className={buttons.quiet}
                data-destroys={isDestructive(choice.task.action) || undefined}
                aria-keyshortcuts={choice.key}
                onClick={() => (choice.task.action === 'approve' ? onApprove() : setOpened(choice))}
              >
                <span>{choice.label}</span> <Key>{choice.key}</Key>
              </button>
            ))}
          </fieldset>
        </>
      )}
    </li>
  );
}

/** The key of a button. Screen readers have it from `aria-keyshortcuts`. */
const Key = ({ children }: { children: string }) => (
  <span className={styles.key} aria-hidden="true">
    {children}
  </span>
);

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** Scrolls a long text, so that the buttons stay near. */
function Scrolled({ text, children }: { text: string; children: ReactNode }) {
  if (text.length <= 600 && text.split('\n').length <= 15) return children;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus
    <div className={styles.scrolled} tabIndex={0}>
      {children}
    </div>
  );
}

/** The content among what was written around it, as it was reported and as it is now. */
function Content({ item }: { item: QueueItem }) {
  const { subject, text, textNow, images, state, context, held } = item;
  const { channel, before, after } = context;
  const [isComparing, setComparing] = useState(false);
  const notice = held || state === 'visible' ? '' : states[state];
  const hasChanged = textNow !== null && textNow !== text;
  return (
    <div className={styles.part}>
      {channel && (
        <p className="note">
          En{' '}
          <Link href={(!held && placeOf(subject)) || pageRoutes.channel(channel._id)}>
            <bdi>{channel.name}</bdi>
          </Link>
        </p>
      )}
      <Around comments={before} />
      {(text || images.length > 0 || notice) && (
        <div className={`${notices.note} ${styles.content}`}>
          {notice && (
            <p>
              <strong>{notice}</strong>
            </p>
          )}
          {hasChanged && <p className="note">Antes decía</p>}
          <Scrolled text={text}>
            <CommentText text={text} />
          </Scrolled>
          {hasChanged && (
            <>
              <p className="note">Ahora dice</p>
              <Scrolled text={text + textNow}>
                <MarkedText before={text} text={textNow} />
              </Scrolled>
            </>
          )}
          {subject.kind === 'user'
            ? images.map(({ url }) => <Avatar key={url} img={url} size={96} />)
            : images.length > 0 && <CommentImages images={imagesOf(item)} />}
        </div>
      )}
      {subject.kind === 'comment' && state !== 'erased' && !held && isEdited(item) && (
        <details onToggle={({ currentTarget }) => setComparing(currentTarget.open)}>
          <summary>{staffTexts.versions}</summary>
          {isComparing && <CommentVersions commentId={subject.id} />}
        </details>
      )}
      <Around comments={after} />
    </div>
  );
}

/** Whether its text has changed since it was written. */
const isEdited = ({ version }: QueueItem) => Number(version.split('.')[1]) > 1;

/** The images. `CommentImages` names one without a description as a comment's, which a cover is not. */
const imagesOf = ({ subject, images }: QueueItem) =>
  subject.kind === 'channel'
    ? images.map((image) => ({ ...image, alt: image.alt || 'Portada' }))
    : images;

function Around({ comments }: { comments: QueueItem['context']['before'] }) {
  return comments.map(({ autor, comment }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the comments are never reordered
    <p key={index} className={`${styles.around} note clamped`}>
      <strong>
        <bdi>{autor}</bdi>
      </strong>{' '}
      <span dir="auto">{comment || texts.imagesAlone}</span>
    </p>
  ));
}

/** The author: since when the account exists, and earlier decisions about it. Nobody has a page before being let in. */
function Author({ author, hasPage }: Pick<QueueItem, 'author'> & { hasPage: boolean }) {
  const { id, name, role, createdAt, invitedBy, history } = author;
  return (
    <Part title="Quién es">
      <p>
        {hasPage ? <AutorLink id={id} name={name} /> : <bdi>{name}</bdi>} <RoleBadge role={role} />{' '}
        <span>
          {`· desde el ${shortDate(createdAt)}${history.length === 0 ? ' · sin decisiones anteriores' : ''}`}
        </span>
        {invitedBy && (
          <span>
            {' · Invitación de '}
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
          <ul className={styles.part}>
            {history.map(({ id: decisionId, at, action, category, undoneAt }) => (
              <li key={decisionId}>
                {[
                  decidedTexts[action],
                  categoryTexts[category],
                  shortDate(at),
                  ...(undoneAt ? [logTexts.undone] : []),
                ].join(' · ')}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Part>
  );
}

/** The reasons, the most frequent first. */
const reasonsOf = (reasons: Record<string, number>): Category[] =>
  categories
    .filter((one) => reasons[one])
    .sort((one, other) => (reasons[other] ?? 0) - (reasons[one] ?? 0));

/** The most frequent of the reasons. */
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
