import { useEffect, useEffectEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { pageRoutes } from '../../shared/routes.ts';
import { siteNameOf } from '../../shared/site-name.ts';
import type { MadeInvitation } from '../../shared/site-settings.ts';
import { shownAddress } from '../dom/shown-address.ts';
import { useSite, useUser } from '../state/store-provider.tsx';
import { accountTexts } from '../ui/account-texts.ts';
import { TextField } from '../ui/forms/field.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { copyLink } from '../ui/status/copy-link.ts';
import { copyText } from '../ui/status/copy-text.ts';
import { share } from '../ui/status/share.ts';
import buttons from '../ui/styles/button.module.css';
import settings from '../ui/styles/settings.module.css';
import { texts } from '../ui/texts.ts';
import { shortDate } from '../ui/time/short-date.ts';
import styles from './made-invitation.module.css';

/** The invitation, with a link that opens a channel after the account is created. */
export const leadingTo = (channelId: string, invitation: MadeInvitation): MadeInvitation => ({
  ...invitation,
  url: invitation.url + pageRoutes.channel(channelId),
});

/** A new invitation, whose link the server sends only once, with ways to pass it on. */
export function Made(invitation: MadeInvitation) {
  const { url } = invitation;
  const site = useSite();
  const { name } = useUser();
  const [isPrinting, setPrinting] = useState(false);
  const text = `${name} te invita a ${siteNameOf(site)}. ${texts.whoReads[site.readers]} Entra con este enlace: ${shownAddress(url)}`;
  return (
    <div className={`stack ${settings.form}`}>
      <h3 ref={focus} tabIndex={-1}>
        Invitación creada
      </h3>
      <p>El enlace solo se ve ahora: compártelo o imprímelo antes de salir de esta página.</p>
      <p>{validityText(invitation)}</p>
      <p>{texts.whoReads[site.readers]}</p>
      <p>
        <button
          type="button"
          className={buttons.primary}
          onClick={() => share({ text }, () => copyText(text))}
        >
          {texts.share}
        </button>
      </p>
      <TextField label="Enlace" value={shownAddress(url)} dir="ltr" readOnly />
      <p className="row">
        <button type="button" className={buttons.quiet} onClick={() => copyLink(url)}>
          {accountTexts.copyLink}
        </button>
        <button type="button" className={buttons.quiet} onClick={() => setPrinting(true)}>
          Imprimir una hoja para la puerta
        </button>
      </p>
      <QrCode text={url} title="Código QR con el enlace de la invitación" />
      {isPrinting && <DoorSheet {...invitation} onPrinted={() => setPrinting(false)} />}
    </div>
  );
}

const validityText = ({ uses, endsAt }: MadeInvitation) =>
  `Vale hasta el ${shortDate(endsAt)} para ${uses === 1 ? 'una persona' : `${uses} personas`}.`;

const focus = (element: HTMLElement | null) => element?.focus();

interface DoorSheetProps extends MadeInvitation {
  onPrinted: () => void;
}

/** A sheet of paper with an invitation, which the browser prints in place of the page. */
function DoorSheet({ onPrinted, ...invitation }: DoorSheetProps) {
  const { url } = invitation;
  const site = useSite();
  const end = useEffectEvent(onPrinted);
  useEffect(() => {
    const printed = new AbortController();
    addEventListener('afterprint', () => end(), { signal: printed.signal });
    print();
    return () => printed.abort();
  }, []);
  return createPortal(
    <div className={styles.sheet}>
      <p className={styles.name} dir="auto">
        {siteNameOf(site)}
      </p>
      {site.welcome && <p dir="auto">{site.welcome}</p>}
      <p>
        <strong>{texts.whoReads[site.readers]}</strong>
      </p>
      <QrCode text={url} title="Código QR con el enlace de la invitación" />
      <ol>
        <li>Apunta al código con la cámara del móvil y abre el enlace.</li>
        <li>Crea tu cuenta con un nombre, un correo y una contraseña.</li>
        <li>Inicia sesión y saluda.</li>
      </ol>
      <p dir="ltr">{shownAddress(url)}</p>
      <p>{validityText(invitation)}</p>
    </div>,
    document.body,
  );
}
