import { useRef, useState } from 'react';
import { parseCommentId } from '../../../shared/comment-id.ts';
import type { Decision, DecisionSubject } from '../../../shared/moderation.ts';
import { commentLink, pageRoutes } from '../../../shared/routes.ts';
import { Link } from '../../router/navigation.tsx';
import buttons from '../../ui/styles/button.module.css';
import lists from '../../ui/styles/list.module.css';
import { DecisionForm } from '../decisions/decision-form.tsx';
import { DecisionLine } from '../decisions/decision-line.tsx';
import { accountCount, kindTexts } from './queue-texts.ts';

interface OtherDecisionsProps {
  decisions: Decision[];
  isOpen: boolean;
  reload: () => Promise<unknown>;
}

/** Decisions without a report. Moderators could not find them elsewhere to undo them. */
export function OtherDecisions({ decisions, isOpen, reload }: OtherDecisionsProps) {
  const list = useRef<HTMLDetailsElement>(null);
  const [undoing, setUndoing] = useState('');
  const end = () => {
    setUndoing('');
    list.current?.querySelector('summary')?.focus();
  };
  return (
    <details ref={list} open={isOpen}>
      <summary>
        {decisions.length === 1
          ? '1 decisión sin denuncia'
          : `${decisions.length} decisiones sin denuncia`}
      </summary>
      <ul className={`frame ${lists.list}`}>
        {decisions.map((decision) => (
          <li key={decision.id} className={`row ${lists.item}`}>
            <div id={`otra-${decision.id}`} className={lists.what}>
              <DecisionLine decision={decision} />
              <SubjectLink {...decision} />
            </div>
            {undoing === decision.id && (
              <DecisionForm
                task={{ action: 'undo', decision }}
                name={decision.author}
                onCancel={end}
                onDone={async () => {
                  await reload();
                  end();
                }}
              />
            )}
            {undoing !== decision.id && !decision.isFinal && !decision.undoneAt && (
              <button
                type="button"
                id={`deshacer-${decision.id}`}
                className={buttons.quiet}
                aria-labelledby={`deshacer-${decision.id} otra-${decision.id}`}
                onClick={() => setUndoing(decision.id)}
              >
                Deshacer
              </button>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The subject of a decision, with a link to its page, which may no longer show it. */
function SubjectLink({ subject, author, accounts }: Decision) {
  if (subject.kind === 'users') return accountCount(accounts);
  const href = subjectUrl(subject);
  const text = (
    <span>
      <span>{kindTexts[subject.kind]}</span> <bdi>{author}</bdi>
    </span>
  );
  return href ? (
    <Link className="target" href={href}>
      {text}
    </Link>
  ) : (
    text
  );
}

/** The address of a subject, which may no longer be shown there; undefined when it has none. */
export function subjectUrl(subject: DecisionSubject): string | undefined {
  if (subject.kind === 'users' || subject.kind === 'appeal') return undefined;
  const { kind, id } = subject;
  if (kind !== 'comment') return pageRoutes[kind](id);
  const key = parseCommentId(id);
  return key && commentLink(key.channelId, key.number);
}
