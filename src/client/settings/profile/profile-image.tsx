import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { UpdateImage, User } from '../../../shared/accounts.ts';
import { assetRoutes } from '../../../shared/routes.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { UploadControl } from '../../images/upload/upload-control.tsx';
import { useLossWarning } from '../../images/upload/use-loss-warning.ts';
import { type Upload, useUpload } from '../../images/upload/use-upload.ts';
import { useImageInput } from '../../images/use-image-input.ts';
import { useObjectUrl } from '../../images/use-object-url.ts';
import { updateImage } from '../../session/account-calls.ts';
import { saveSessionImage } from '../../session/save-session.ts';
import { useStore, useUser } from '../../state/store-provider.tsx';
import { readSession } from '../../storage/session.ts';
import { Camera } from '../../ui/account-icons.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Alert } from '../../ui/notice.tsx';
import { type Status, showStatus } from '../../ui/status/status-bar.tsx';
import buttons from '../../ui/styles/button.module.css';
import styles from './profile-image.module.css';

/** `saving`: an uploaded image is being saved, and its preview is shown. */
type Saving = 'idle' | 'saving' | 'changing' | Failure;

const leftText = 'La foto de perfil no ha cambiado: aún se estaba subiendo.';

const busyStatuses: Upload['status'][] = ['preparing', 'running', 'finishing'];

/** @returns null when the account is no longer signed in: another user's token must not be used */
async function saveImage(body: UpdateImage): Promise<User | Failure | null> {
  return readSession()?.id === body.id ? orFailure(request(updateImage, body)) : null;
}

/** The profile image with a file input over it. The upload starts when a file is chosen. */
export function ProfileImage() {
  const { dispatch } = useStore();
  const { id, email, img } = useUser();
  const [saving, setSaving] = useState<Saving>('idle');
  // Saves one after another, also when the page is left and reopened meanwhile, so that the image chosen last remains.
  const { mutateAsync } = useMutation({ mutationFn: saveImage, scope: { id: 'profile image' } });

  /** @param status shown once the image is saved */
  const save = async (newImg: string | null, state: Saving, status: Status) => {
    setSaving(state);
    const saved = await mutateAsync({ id, email, img: newImg });
    if (!saved || readSession()?.id !== id) return;
    if (saved instanceof Failure) {
      console.error(saved.problem ?? saved.text);
      return setSaving(saved);
    }
    saveSessionImage(saved.img);
    dispatch({ type: 'UPDATE_USER_IMG', img: saved.img });
    setSaving('idle');
    showStatus(status);
  };
  const changed = { text: 'Foto de perfil actualizada' };
  const upload = useUpload('avatar', (url) => void save(url, 'saving', changed));
  const remove = async () => {
    const undo = { label: 'Deshacer', run: () => save(img, 'changing', changed) };
    await save(null, 'changing', { text: 'Foto de perfil quitada', action: undo });
    // The button that had the focus was removed.
    chooser.input.ref.current?.focus();
  };

  const chooser = useImageInput(upload, (file) => {
    setSaving('idle');
    upload.start(file);
  });

  const isPreviewShown =
    saving === 'saving' || ['running', 'paused', 'finishing'].includes(upload.status);
  const previewUrl = useObjectUrl(isPreviewShown ? upload.file : null);
  const isUploading = busyStatuses.includes(upload.status) || upload.status === 'paused';
  useLossWarning(isUploading && saving === 'idle', leftText);
  const isBusy =
    (typeof saving === 'string' && saving !== 'idle') || busyStatuses.includes(upload.status);
  return (
    <>
      <div
        className={`${styles.image} ${chooser.isDragged ? styles.dragged : ''}`}
        aria-busy={isBusy}
      >
        <Avatar img={previewUrl ?? img} size={180} isEager />
        {isBusy && <span className={styles.veil} />}
        <span className={styles.camera}>
          <Camera size={20} />
          <input {...chooser.input} className="file-input" aria-label="Cambiar foto de perfil" />
        </span>
      </div>
      <div className={styles.control}>
        <UploadControl upload={chooser.upload} />
      </div>
      {img && img !== assetRoutes.defaultAvatar && !isBusy && (
        <button type="button" className={buttons.quiet} onClick={remove}>
          Quitar la foto
        </button>
      )}
      {typeof saving === 'object' && (
        <Alert>{`No se pudo cambiar la foto de perfil. ${saving.text}`}</Alert>
      )}
    </>
  );
}
