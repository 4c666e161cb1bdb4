import { limits } from '../../shared/limits.ts';

const { binDays, deletionDays } = limits;

/** Texts of the page of rules. */
export const rulesTexts = {
  /** While the community has written none. */
  none: 'Esta comunidad aún no ha escrito sus normas. Mientras tanto: trata a las demás personas como quieres que te traten.',
  contact: 'A quién preguntar',
  logLead: 'Lo que deciden quienes moderan está, sin nombres ni textos, en el ',
  kept: 'Cuánto se guarda cada cosa',
  what: 'Qué',
  howLong: 'Cuánto',
  /** As docs/security.md says. */
  periods: [
    ['Comentarios y canales eliminados', `${binDays} días en la papelera`],
    ['Versiones anteriores de lo que se cambia', '30 días'],
    ['Textos denunciados', '30 días desde que se decide'],
    ['Lo que espera revisión y lo rechazado', '30 días'],
    ['Cuentas a las que no se dio paso', '30 días'],
    ['Cuentas que elimina su titular', `${deletionDays} días; después se borran`],
    ['Sesiones', '30 días sin usarlas, si quien administra no ha puesto otro plazo'],
    ['Registro público de moderación', 'Siempre'],
    ['Copias de seguridad', 'Según quien administra'],
  ],
} as const;
