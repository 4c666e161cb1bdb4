import type { Reach } from '../../../shared/announcements.ts';
import { numberText } from '../../../shared/number-texts.ts';

/** Such as "Llegará a 62 personas: 48 por correo, 31 con aviso en su dispositivo, 5 solo al entrar." */
export function reachText({ members, mail, push, onlyHere, mailDays }: Reach): string {
  if (members === 0) return 'Todavía no hay nadie más a quien llegue.';
  const people = members === 1 ? '1 persona' : `${numberText(members)} personas`;
  const ways = [
    ...(mail > 0 ? [`${numberText(mail)} por correo`] : []),
    ...(push > 0 ? [`${numberText(push)} con aviso en su dispositivo`] : []),
    ...(onlyHere > 0 ? [`${numberText(onlyHere)} solo al entrar`] : []),
  ];
  const late =
    mailDays > 1
      ? ` Los correos tardarán ${mailDays} días, por el límite diario del servidor.`
      : '';
  return `Llegará a ${people}: ${ways.join(', ')}.${late}`;
}
