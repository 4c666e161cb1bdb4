import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RecoveryCodesLeft } from '../../../shared/account-settings.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { request } from '../../api/request.ts';
import { callKey, useUserQuery } from '../../api/user-query.ts';
import buttons from '../../components/button.module.css';
import { focusElement } from '../../components/focus-element.ts';
import { Loaded } from '../../components/loaded.tsx';
import { showStatus } from '../../components/status-bar.tsx';
import { useUser } from '../../state/store-provider.tsx';
import { shortDate } from '../../time/short-date.ts';
import { PasswordForm } from '../password-form.tsx';
import { SettingsSection } from '../settings-section.tsx';
import { CodeList } from './code-list.tsx';
import { countRecoveryCodes, createRecoveryCodes } from './recovery-calls.ts';
import { recoveryTexts } from './recovery-texts.ts';

export const recoveryHeadingId = 'recuperacion';

/** The section of recovery codes. */
export function RecoverySection() {
  const left = useUserQuery(countRecoveryCodes);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [isOpen, setOpen] = useState(false);
  const queryClient = useQueryClient();
  const { id } = useUser();

  const close = () => setOpen(false);
  const create = async (text: (name: string) => string, form: HTMLFormElement) => {
    const created = await request(createRecoveryCodes, {
      currentPassword: text('currentPassword'),
    });
    const counted = { left: created.codes.length, createdAt: new Date().toISOString() };
    queryClient.setQueryData(callKey(id, countRecoveryCodes), counted);
    if (!form.isConnected) {
      const href = `${pageRoutes.settings}#${recoveryHeadingId}`;
      showStatus({
        text: recoveryTexts.unseen,
        links: [{ href, label: recoveryTexts.replaceCodes }],
      });
    }
    close();
    setCodes(created.codes);
  };
  const hide = () => {
    setCodes(null);
    // The button that had the focus is removed.
    focusElement(recoveryHeadingId);
  };
  const hasCodes = left.data !== undefined && left.data.left > 0;
  // A new password ends them.
  const isShown = codes !== null && hasCodes;

  return (
    <SettingsSection
      id={recoveryHeadingId}
      title={recoveryTexts.codes}
      intro={recoveryTexts.codesIntro}
    >
      <Loaded query={left}>{(shown) => <p>{leftText(shown)}</p>}</Loaded>
      {isShown && <CodeList codes={codes} onSaved={hide} />}
      {!isShown && !isOpen && (
        <button type="button" className={buttons.quiet} onClick={() => setOpen(true)}>
          {hasCodes ? recoveryTexts.replaceCodes : recoveryTexts.createCodes}
        </button>
      )}
      {isOpen && (
        <PasswordForm
          title={recoveryTexts.createCodes}
          submitLabel={recoveryTexts.createCodes}
          send={create}
          onCancel={close}
        >
          {() => hasCodes && <p>{recoveryTexts.replaceHint}</p>}
        </PasswordForm>
      )}
    </SettingsSection>
  );
}

function leftText({ left, createdAt }: RecoveryCodesLeft): string {
  return createdAt ? recoveryTexts.codesLeft(left, shortDate(createdAt)) : recoveryTexts.noCodes;
}
