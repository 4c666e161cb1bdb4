import { limits } from '../../shared/limits.ts';
import type { Registration, SiteSettings } from '../../shared/site-settings.ts';

const labels = {
  name: 'Nombre',
  welcome: 'Frase de bienvenida',
  rules: 'Normas',
  contact: 'A quién preguntar',
  registration: 'Quién puede crear una cuenta',
  holdsFirstPosts: 'Revisar la primera publicación de cada cuenta',
  links: 'Enlaces del pie de página',
} satisfies Record<keyof SiteSettings, string>;

/** Texts of the page where admins decide what is the community's. */
export const siteTexts = {
  readOnly: 'Solo quien administra el foro puede cambiarlo.',
  failed: 'No se pudieron cargar los ajustes',
  labels,
  hints: {
    name: 'Vacío: tertulia.',
    welcome: 'Bajo el nombre, en el inicio.',
    rules: 'Las lee todo el mundo en /rules, y quien crea una cuenta las acepta.',
    contact: 'Un correo electrónico o una frase. Lo lee todo el mundo.',
    holdsFirstPosts: `Lo primero que escribe una cuenta espera a que alguien del equipo lo apruebe; lo demás, ya no. También espera lo que da señales de publicidad: altas en menos de ${limits.fastSignUpMs / 1000} segundos y, en los primeros ${limits.youngDays} días de una cuenta, más de ${limits.youngLinks} enlaces, ${limits.youngChannels} canal o ${limits.youngComments} comentarios al día. Recomendado si cualquiera puede entrar.`,
    links: 'Ninguno o los tres. Sin ninguno se ven los de siempre.',
  },
  link: { label: 'Texto del enlace', href: 'Dirección del enlace' },
  fixed: 'Lo decide la configuración del servidor.',
  registrations: {
    open: ['Cualquiera', 'Entra en cuanto crea su cuenta.'],
    invitation: ['Con invitación', 'Quien ya tiene cuenta invita desde sus ajustes.'],
    request: ['Con permiso', 'Cualquiera la pide, y alguien del equipo le da paso.'],
    closed: ['Nadie', 'Quienes ya tienen cuenta siguen como siempre.'],
  } satisfies Record<Registration, [label: string, hint: string]>,
  conflict:
    'Otra persona los ha guardado mientras tanto. Lo que has escrito sigue aquí: copia lo que quieras conservar y carga lo nuevo.',
  loadNew: 'Cargar lo nuevo',
  unsaved: (changed: (keyof SiteSettings)[]) =>
    `Sin guardar: ${changed.map((name) => labels[name]).join(', ')}.`,
  notSaved: 'No se han guardado.',
  saved: 'Ajustes guardados.',
  preview: 'Vista previa',
  first: 'Lo primero',
  done: (step: string) => `✓ Hecho: ${step}`,
  steps: {
    name: 'Ponle nombre',
    rules: 'Escribe unas normas',
    contact: 'Di a quién preguntar',
    registration: 'Elige quién puede entrar',
    holdsFirstPosts: 'Revisa la primera publicación (recomendado si cualquiera puede entrar)',
    channel: 'Crea el primer canal',
  },
} as const;
