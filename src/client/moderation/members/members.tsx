import { useInfiniteQuery } from '@tanstack/react-query';
import { limits } from '../../../shared/limits.ts';
import type { Member } from '../../../shared/moderation.ts';
import { pageRoutes, withQuery } from '../../../shared/routes.ts';
import { accountKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { go, Link, useQueryString } from '../../dom/navigation.tsx';
import { useUser } from '../../state/store-provider.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { SubmitButton } from '../../ui/forms/submit-button.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { Paged } from '../../ui/loading/more-link.tsx';
import { RoleBadge } from '../../ui/role-badge.tsx';
import lists from '../../ui/styles/list.module.css';
import { dot } from '../../ui/texts.ts';
import { TimeAgo } from '../../ui/time/time-ago.tsx';
import styles from '../queue/moderation-page.module.css';
import { listMembers } from '../queue/queue-calls.ts';

const stateTexts: Record<Exclude<Member['state'], 'active'>, string> = {
  silenced: 'Silenciada',
  suspended: 'Suspendida',
  hidden: 'Oculta',
  waiting: 'Por aprobar',
};

const membersUrl = (q: string) => withQuery(pageRoutes.members, { q: q || null });

/** The accounts, newest first, or those that match the name in the address. */
export function Members() {
  const { id } = useUser();
  const q = new URLSearchParams(useQueryString()).get('q')?.trim() ?? '';
  const query = useInfiniteQuery({
    queryKey: [...accountKey(id), 'members', q],
    queryFn: ({ pageParam: after, signal }) => request(listMembers, { q, after }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // Cached, so that Back returns to the same position.
    gcTime: Number.POSITIVE_INFINITY,
  });
  const form = useForm({
    async send(text) {
      go(membersUrl(text('q').trim()));
    },
  });
  return (
    <>
      <form {...form.props} className={`row ${styles.fields}`} method="get">
        {/* The key resets the field to the name in the address after Back. */}
        <TextField
          key={q}
          type="search"
          name="q"
          label="Nombre"
          defaultValue={q}
          maxLength={limits.userNameChars}
          autoComplete="off"
        />
        <SubmitButton label="Buscar" isBusy={false} />
      </form>
      <Loaded query={query}>
        {({ pages }) => {
          const members = pages.flatMap(({ data }) => data);
          if (members.length === 0) return <p>Nadie se llama así.</p>;
          return (
            <>
              <ol className={`frame ${lists.list}`}>
                {members.map((one) => (
                  <li key={one.id} className={`row ${lists.item}`}>
                    <MemberLine member={one} />
                  </li>
                ))}
              </ol>
              <Paged key={q} query={query} href={membersUrl(q)} label="Más" />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function MemberLine({ member: { id, name, img, role, state, createdAt } }: { member: Member }) {
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
        </p>
        <p className="note">
          {state !== 'active' && <strong>{stateTexts[state] + dot}</strong>}
          <span>Desde el</span> <TimeAgo iso={createdAt} isDate />
        </p>
      </div>
    </>
  );
}
