import { useState } from 'react';
import { limits } from '../../../shared/limits.ts';
import type { Decision, Member } from '../../../shared/moderation.ts';
import { pageRoutes, withQuery } from '../../../shared/routes.ts';
import { changeEntry, entryState } from '../../router/entry-state.ts';
import { Link } from '../../router/navigation.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Paged, type PagedProps } from '../../ui/loading/more-link.tsx';
import { RoleBadge } from '../../ui/role-badge.tsx';
import { showStatus } from '../../ui/status/status-bar.tsx';
import buttons from '../../ui/styles/button.module.css';
import lists from '../../ui/styles/list.module.css';
import { Time } from '../../ui/time/time.tsx';
import { DecisionForm } from '../decisions/decision-form.tsx';
import { undoSlip } from '../decisions/staff-calls.ts';
import { accountCount, many } from '../queue/queue-texts.ts';
import styles from './members.module.css';

const most = limits.raidAccounts;

const stateTexts: Record<Exclude<Member['state'], 'active'>, string> = {
  silenced: 'No puede escribir',
  suspended: 'Suspendida',
  hidden: 'Oculta',
  waiting: 'Por aprobar',
};

interface MemberLinesProps {
  members: Member[];
  query: PagedProps['query'] & { refetch: () => Promise<unknown> };
  href: string;
}

/**
 * Accounts with boxes to mark them, and one decision that hides everything of the marked ones. The marks are stored in
 * the history entry, so that they are kept after visiting the page of one of the accounts.
 */
export function MemberLines({ members, query, href }: MemberLinesProps) {
  const [marked, setMarked] = useState(() => entryState().marked ?? []);
  const [isOpen, setOpen] = useState(false);
  const mark = (ids: string[]) => {
    setMarked(ids);
    changeEntry({ marked: ids });
  };
  const markable = members.filter(isMarkable).map(({ id }) => id);
  const ids = markable.filter((id) => marked.includes(id));
  const areAllMarked = ids.length === Math.min(markable.length, most);
  const isPossible = ids.length > 0 && ids.length <= most;
  const reload = () => query.refetch();
  const done = async ({ id, accounts }: Decision, isEarlier: boolean) => {
    setOpen(false);
    mark([]);
    await reload();
    if (isEarlier) return;
    const action = { label: 'Deshacer', run: () => undoSlip(id, reload) };
    showStatus({ text: `Se ha ocultado todo lo de ${accountCount(accounts)}.`, action });
  };
  return (
    <>
      {markable.length > 0 && (
        <div className="row">
          <button
            type="button"
            className={buttons.quiet}
            onClick={() => mark(areAllMarked ? [] : markable.slice(0, most))}
          >
            {areAllMarked ? 'Quitar las marcas' : 'Marcar las que se ven'}
          </button>
          {/* When the form is closed, the button is in its place, and gets the focus. */}
          {isOpen ? (
            <div className={styles.whole} hidden={!isPossible}>
              <DecisionForm
                task={{ subject: { kind: 'users', ids }, action: 'hideAll' }}
                label={`Ocultar todo lo de ${accountCount(ids.length)}`}
                category="spam"
                onDone={done}
                onCancel={() => setOpen(false)}
              />
            </div>
          ) : (
            <button
              type="button"
              className={isPossible ? buttons.primary : `${buttons.quiet} ${styles.impossible}`}
              data-destroys={isPossible || undefined}
              aria-disabled={!isPossible || undefined}
              onClick={() => setOpen(isPossible)}
            >
              Ocultar todo lo de las marcadas
            </button>
          )}
        </div>
      )}
      <p className="note" role="status">
        {markedText(ids.length)}
      </p>
      <ol className={`frame ${lists.list}`}>
        {members.map((one) => (
          <li key={one.id} className={`row ${lists.item} ${styles.member}`}>
            {isMarkable(one) ? (
              <label className={styles.mark}>
                <input
                  type="checkbox"
                  aria-label={one.name}
                  checked={marked.includes(one.id)}
                  onChange={({ currentTarget: { checked } }) =>
                    mark(checked ? [...marked, one.id] : marked.filter((id) => id !== one.id))
                  }
                />
              </label>
            ) : (
              <span className={styles.mark} />
            )}
            <MemberLine member={one} />
          </li>
        ))}
      </ol>
      <Paged query={query} href={href} label="Más" />
    </>
  );
}

/** No decision hides the staff, and what is hidden already needs none. */
const isMarkable = ({ role, state }: Member) => role === 'member' && state !== 'hidden';

function markedText(count: number): string {
  if (count === 0) return 'Ninguna marcada.';
  const marked = many(count, 'marcada', 'marcadas');
  return count <= most ? `${marked}.` : `${marked}: quita alguna, se ocultan ${most} de una vez.`;
}

function MemberLine({ member }: { member: Member }) {
  const { id, name, img, role, state, createdAt, beginning } = member;
  // An account that awaits approval has no page yet.
  const href =
    state === 'waiting'
      ? withQuery(pageRoutes.moderation, { state: 'pending' })
      : pageRoutes.user(id);
  return (
    <>
      <Avatar img={img} size={36} />
      <div className={lists.what}>
        <p className="links">
          <Link href={href}>
            <bdi>{name}</bdi>
          </Link>{' '}
          <RoleBadge role={role} />
          {state !== 'active' && <span className="badge">{stateTexts[state]}</span>}
        </p>
        <p className="note">
          <span>Desde el</span> <Time iso={createdAt} form="date" />
        </p>
        {beginning && (
          <q className="clamped" dir="auto">
            {beginning}
          </q>
        )}
      </div>
    </>
  );
}
