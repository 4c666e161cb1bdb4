import { useQueryClient } from '@tanstack/react-query';
import type { Person } from '../../../shared/people.ts';
import { request } from '../../api/request.ts';
import { withQueries } from '../../api/with-queries.tsx';
import { type SubjectTask, subjectActions } from '../../moderation/subject-actions.ts';
import { useStore } from '../../state/store-provider.tsx';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { copyLink } from '../../ui/status/copy-link.ts';
import { withStatus } from '../../ui/status/with-status.ts';
import buttons from '../../ui/styles/button.module.css';
import { texts } from '../../ui/texts.ts';
import { makePasswordLink, type RoleChange, setRole } from './person-calls.ts';
import { personQuery } from './person-queries.ts';

const roleTexts = {
  member: ['Quitar del equipo de moderación', 'Ya no forma parte del equipo de moderación'],
  moderator: ['Añadir al equipo de moderación', 'Ahora forma parte del equipo de moderación'],
  admin: ['Añadir al equipo de administración', 'Ahora forma parte del equipo de administración'],
} as const;

interface PersonToolsProps {
  person: Person;
  onTask: (task: SubjectTask) => void;
}

/**
 * The menu of a person: users report them; moderators make decisions; admins change roles and create password links.
 */
function PersonMenu({ person, onTask }: PersonToolsProps) {
  const { id } = person;
  const { getState } = useStore();
  const queryClient = useQueryClient();

  const changeRole = async (change: RoleChange) => {
    await withStatus('No se pudo hacer el cambio.', async () => {
      await request(setRole, change);
      return { text: roleTexts[change.role][1] };
    });
    await queryClient.invalidateQueries({ queryKey: personQuery(id).queryKey });
  };
  const roleActions = () =>
    (['member', 'moderator', 'admin'] as const)
      .filter((role) => role !== (person.role ?? 'member'))
      .map((role) => ({ label: roleTexts[role][0], run: () => changeRole({ id, role }) }));
  const linkAction = {
    label: 'Copiar enlace para contraseña nueva',
    run: () =>
      withStatus('No se pudo crear el enlace.', async () => {
        void copyLink((await request(makePasswordLink, id)).url);
      }),
  };
  return (
    <ActionMenu
      className={buttons.round}
      label={texts.moreActions}
      actions={() => {
        const { role } = getState();
        return [
          ...subjectActions({ kind: 'user', role }, onTask),
          ...(role === 'admin' && !person.role ? [linkAction] : []),
          ...(role === 'admin' ? roleActions() : []),
        ];
      }}
    />
  );
}

export const PersonTools = withQueries(PersonMenu);
