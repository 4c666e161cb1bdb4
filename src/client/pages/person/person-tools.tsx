import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Role } from '../../../shared/moderation.ts';
import type { Person } from '../../../shared/people.ts';
import { request } from '../../api/request.ts';
import { withQueries } from '../../api/with-queries.tsx';
import { type SubjectTask, subjectActions } from '../../moderation/subject-actions.ts';
import { useStore } from '../../state/store-provider.tsx';
import { accountTexts } from '../../ui/account-texts.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { DiscardQuestion } from '../../ui/forms/form-end.tsx';
import { focusTitle } from '../../ui/page-title.tsx';
import { copyLink } from '../../ui/status/copy-link.ts';
import { withStatus } from '../../ui/status/with-status.ts';
import buttons from '../../ui/styles/button.module.css';
import { directions, texts } from '../../ui/texts.ts';
import { makePasswordLink, setRole } from './person-calls.ts';
import styles from './person-page.module.css';
import { personQuery } from './person-queries.ts';

const roleTexts = {
  member: ['Quitar del equipo de moderación', 'Ya no forma parte del equipo de moderación'],
  moderator: ['Añadir al equipo de moderación', 'Ahora forma parte del equipo de moderación'],
  admin: ['Añadir al equipo de administración', 'Ahora forma parte del equipo de administración'],
} as const;

/** The texts of the way down from administration. */
const onlyModerator = [
  'Dejar solo en moderación',
  'Ahora solo forma parte del equipo de moderación',
] as const;

interface PersonToolsProps {
  person: Person;
  onTask: (task: SubjectTask) => void;
}

/**
 * The menu of a person: users report them; moderators make decisions; admins change roles and create password links.
 */
function PersonMenu({ person, onTask }: PersonToolsProps) {
  const { id, name } = person;
  const { getState } = useStore();
  const queryClient = useQueryClient();
  /** Whether to give this person the administration is being asked. */
  const [isAsking, setAsking] = useState(false);

  const changeRole = async (role: Role, before: Role) => {
    await withStatus('No se pudo hacer el cambio.', async () => {
      await request(setRole, { id, role });
      return {
        text: textsOf(role, before)[1],
        action: { label: 'Deshacer', run: () => changeRole(before, role) },
        // Later somebody else may have decided otherwise.
        isBrief: true,
      };
    });
    await queryClient.invalidateQueries({ queryKey: personQuery(id).queryKey });
  };
  const roleActions = () => {
    const before = person.role ?? 'member';
    return (['member', 'moderator', 'admin'] as const)
      .filter((role) => role !== before)
      .map((role) => ({
        label: textsOf(role, before)[0],
        run: () => (role === 'admin' ? setAsking(true) : changeRole(role, before)),
      }));
  };
  const linkAction = {
    label: 'Copiar enlace para contraseña nueva',
    run: () =>
      withStatus('No se pudo crear el enlace.', async () => {
        void copyLink((await request(makePasswordLink, id)).url);
      }),
  };
  const menu = (
    <ActionMenu
      className={buttons.round}
      label={texts.moreActions}
      actions={() => {
        const { role } = getState();
        return [
          ...subjectActions({ kind: 'user', name, role }, onTask),
          ...(role === 'admin' && !person.role ? [linkAction] : []),
          ...(role === 'admin' ? roleActions() : []),
        ];
      }}
    />
  );
  return (
    <>
      {menu}
      {isAsking && (
        <div className={styles.question}>
          <DiscardQuestion
            question={`¿Dar la administración a ${name.replace(directions, '')}? Podrá decidirlo todo en este foro, también sobre tu cuenta.`}
            labels={['Dar la administración', accountTexts.cancel]}
            onDiscard={() => {
              setAsking(false);
              focusTitle();
              void changeRole('admin', person.role ?? 'member');
            }}
            onKeepEditing={() => {
              setAsking(false);
              focusTitle();
            }}
          />
        </div>
      )}
    </>
  );
}

const textsOf = (role: Role, before: Role) =>
  role === 'moderator' && before === 'admin' ? onlyModerator : roleTexts[role];

export const PersonTools = withQueries(PersonMenu);
