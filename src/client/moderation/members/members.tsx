import { useInfiniteQuery } from '@tanstack/react-query';
import { limits } from '../../../shared/limits.ts';
import { pageRoutes, withQuery } from '../../../shared/routes.ts';
import { accountKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { entryState } from '../../router/entry-state.ts';
import { go, useQueryString } from '../../router/navigation.tsx';
import { useUser } from '../../state/store-provider.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { SubmitButton } from '../../ui/forms/submit-button.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { OrderLinks } from '../../ui/order-links.tsx';
import { listMembers, type MemberFilter, memberQuery } from '../queue/queue-calls.ts';
import { MailedInvitations } from './mailed-invitations.tsx';
import { MemberLines } from './member-lines.tsx';
import styles from './members.module.css';

const filterTexts = { all: 'Todas las cuentas', unapproved: 'Sin aprobar' } as const;

const membersUrl = (filter: MemberFilter) => withQuery(pageRoutes.members, memberQuery(filter));

/** The accounts that the address asks for, newest first: all, or those that match a name or that nobody approved. */
export function Members() {
  const { id } = useUser();
  const address = new URLSearchParams(useQueryString());
  const q = address.get('q')?.trim() ?? '';
  const isUnapproved = address.has('unapproved');
  const href = membersUrl({ q, isUnapproved });
  const query = useInfiniteQuery({
    queryKey: [...accountKey(id), 'members', href],
    queryFn: ({ pageParam: after, signal }) =>
      request(listMembers, { q, isUnapproved, after }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // Cached, so that Back returns to the same position.
    gcTime: Number.POSITIVE_INFINITY,
    // The list stays as it is while somebody marks accounts in it.
    refetchOnWindowFocus: () => !entryState().marked?.length,
  });
  const form = useForm({
    async send(text) {
      go(membersUrl({ q: text('q').trim(), isUnapproved }));
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
      <MailedInvitations />
      <OrderLinks
        label="Cuentas"
        texts={filterTexts}
        current={isUnapproved ? 'unapproved' : 'all'}
        hrefOf={(one) => membersUrl({ q, isUnapproved: one === 'unapproved' })}
      />
      {isUnapproved && (
        <p>
          Miembros a los que nadie ha aprobado, ni a ellos ni nada suyo. Si llegan muchas cuentas de
          golpe a molestar, márcalas y ocúltalo todo con una sola decisión, que se deshace de una
          vez.
        </p>
      )}
      <Loaded query={query}>
        {({ pages }) => {
          const members = pages.flatMap(({ data }) => data);
          if (members.length === 0) {
            return <p>{q ? 'Nadie se llama así.' : 'No queda nadie sin aprobar.'}</p>;
          }
          // The key brings back the marks of the history entry.
          return <MemberLines key={href} members={members} query={query} href={href} />;
        }}
      </Loaded>
    </>
  );
}
