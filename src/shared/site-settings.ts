import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { Instant, Nullable, Text } from './schema.ts';

const readerSettings = ['everyone', 'members'] as const;
/** The visitors to whom the community is shown: all, or only its members. */
export type Readers = (typeof readerSettings)[number];

const registrations = ['open', 'invitation', 'request', 'closed'] as const;
export type Registration = (typeof registrations)[number];

const followSettings = ['all', 'chosen'] as const;
/** Whether members follow channels for which they never chose a level. */
export type CommunityFollow = (typeof followSettings)[number];

const settingNames = [
  ...(['name', 'welcome', 'rules', 'contact', 'readers', 'registration'] as const),
  ...(['reviewsFirstPosts', 'links', 'zone', 'follow'] as const),
];

/** The community's own settings. Empty texts mean the default. */
export const SiteSettings = Type.Object({
  name: Text(limits.siteNameChars),
  /** Shown below the name on the home page. */
  welcome: Text(limits.welcomeChars),
  rules: Text(limits.rulesChars),
  /** Contact for questions: an e-mail address or a sentence. */
  contact: Text(limits.contactChars),
  readers: Type.Enum([...readerSettings]),
  registration: Type.Enum([...registrations]),
  /** Whether first posts, and posts with signals, wait until a moderator approves them. */
  reviewsFirstPosts: Type.Boolean(),
  /** Links in the footer: none or three. */
  links: Type.Array(
    Type.Object({ label: Text(limits.linkLabelChars), href: Text(limits.imageUrlBytes) }),
    { maxItems: 3 },
  ),
  follow: Type.Enum([...followSettings], {
    description:
      'De qué se avisa a quien no ha elegido otra cosa. `all`: de todo lo que se escribe; `chosen`: de los canales que elija y de lo que le respondan.',
  }),
  zone: Type.String({
    maxLength: limits.zoneChars,
    description:
      'Zona horaria (IANA) de la comunidad, para quien no ha elegido otra con su navegador. Vacía: la del servidor.',
  }),
});
export type SiteSettings = Static<typeof SiteSettings>;

/** An entry of the feed of releases. */
export const Release = Type.Object({ title: Type.String(), url: Type.String(), at: Instant });
export type Release = Static<typeof Release>;

/** The program that serves the site. */
export const Build = Type.Object(
  {
    name: Type.String(),
    madeAt: Nullable(Instant),
    isOld: Type.Boolean({ description: 'Tiene más de un año.' }),
    newer: Nullable(Release),
  },
  { description: 'La versión de tertulia. Solo para quien administra.' },
);
export type Build = Static<typeof Build>;

export const SavedSettings = Type.Object({
  ...SiteSettings.properties,
  revision: Type.Integer({ description: 'Para If-Match. 0 antes de guardarlos por primera vez.' }),
  savedAt: Nullable(Instant),
  /** Settings that an admin has saved at least once. */
  decided: Type.Array(Type.Enum(settingNames)),
  /** Settings that the machine's environment overrides. */
  fixed: Type.Array(Type.Enum(['contact', 'links'])),
  /** Which other steps of founding are done. */
  done: Type.Optional(
    Type.Object(
      {
        invitation: Type.Boolean({ description: 'Alguien ha hecho una invitación.' }),
        moderator: Type.Boolean({ description: 'Modera alguien más.' }),
        isOneAdminAlone: Type.Boolean({
          description: 'Solo administra una persona, con una cuenta de hace un mes o más.',
        }),
        backup: Type.Boolean({ description: 'El servidor hace copias de seguridad.' }),
        mail: Type.Boolean({ description: 'El servidor envía correo.' }),
      },
      { description: 'Solo para quien administra.' },
    ),
  ),
  build: Type.Optional(Build),
});
export type SavedSettings = Static<typeof SavedSettings>;

export const SettingsChange = Type.Partial(
  Type.Object({
    ...SiteSettings.properties,
    showsImported: Type.Boolean({
      description:
        'Confirma que cualquiera leerá lo que escribieron personas sin cuenta. Hace falta para abrir una comunidad donde las hay.',
    }),
  }),
);
export type SettingsChange = Static<typeof SettingsChange>;

/** The settings that everybody may read. */
export const Rules = Type.Object({
  rules: Type.String(),
  contact: Type.String(),
  savedAt: Nullable(Instant),
});
export type Rules = Static<typeof Rules>;

export const NewInvitation = Type.Object({
  uses: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.invitationUses })),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.longestInvitationDays })),
});
export type NewInvitation = Static<typeof NewInvitation>;

export const Invitation = Type.Object({
  id: Type.String(),
  uses: Type.Integer(),
  used: Type.Integer(),
  createdAt: Instant,
  endsAt: Instant,
  isRevoked: Type.Boolean(),
});
export type Invitation = Static<typeof Invitation>;

/** `url` is only in the response that creates the invitation. */
export const MadeInvitation = Type.Object({ ...Invitation.properties, url: Type.String() });
export type MadeInvitation = Static<typeof MadeInvitation>;

/** `invitation` is the part of a link after `#`: a code, which the path of a page may follow. */
export const InvitationCode = Type.Object({ invitation: Text(limits.imageUrlBytes) });
export const InvitedBy = Type.Object({
  name: Nullable(
    Type.String({ description: 'Quién invita. null: el enlace es para quien va a administrar.' }),
  ),
  email: Nullable(Type.String({ description: 'La dirección a la que se envió.' })),
  target: Nullable(Type.String({ description: 'La página de este sitio a la que lleva.' })),
  words: Nullable(
    Type.Object(
      {
        name: Type.String({ description: 'El nombre que tenía en el chat.' }),
        channel: Type.String({ description: 'El nombre del canal.' }),
        comments: Type.Integer(),
      },
      { description: 'Lo que la persona invitada escribió en un chat que se trajo.' },
    ),
  ),
});
export type InvitedBy = Static<typeof InvitedBy>;
export const InvitationList = Type.Object({ data: Type.Array(Invitation) });
export type InvitationList = Static<typeof InvitationList>;
