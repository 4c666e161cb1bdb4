import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Role } from '../../shared/moderation.ts';
import { type Failure, failureText } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { EditButtons } from '../components/edit-buttons.tsx';
import { Field } from '../components/field.tsx';
import { Alert } from '../components/notice.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { useCanceling } from '../components/use-canceling.ts';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { personQuery } from '../people/person-queries.ts';
import { setRole } from './report-calls.ts';
import styles from './report-form.module.css';
import { staffTexts } from './staff-texts.ts';

/** With it an admin changes a person's role. */
export function RoleForm({ personId, onEnd }: { personId: string; onEnd: () => void }) {
  const queryClient = useQueryClient();
  const { data: about } = useQuery({ ...personQuery(personId), enabled: false });
  const form = useRef<HTMLFormElement>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => form.current?.querySelector('select')?.focus(), []);

  const { isBusy, onSubmit } = useSubmit(async (submitted) => {
    setFailure(null);
    const role = fieldText(submitted, 'role') as Role;
    const result = await request(setRole, { id: personId, role });
    if (!result.ok) return setFailure(result);
    onEnd();
    showStatus({ text: staffTexts.roleSaved });
    await queryClient.invalidateQueries({ queryKey: personQuery(personId).queryKey });
  });
  const canceling = useCanceling({
    form,
    isBusy,
    isSending: isBusy,
    canEnd: () => true,
    end: onEnd,
  });
  return (
    <form
      ref={form}
      className={styles.form}
      method="post"
      onSubmit={onSubmit}
      onKeyDown={canceling.onKeyDown}
    >
      <Field label={staffTexts.role} hint={staffTexts.roleHint}>
        {(attributes) => (
          <select {...attributes} name="role" defaultValue={about?.person.role ?? 'member'}>
            {Object.entries(staffTexts.roles).map(([role, text]) => (
              <option key={role} value={role}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
      {failure && <Alert>{`${staffTexts.roleNotSaved} ${failureText(failure)}`}</Alert>}
      <EditButtons {...canceling.buttons} />
    </form>
  );
}
