import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { Instant, Nullable, Text } from './schema.ts';

const readerSettings = ['everyone', 'members'] as const;
/** The visitors to whom the community is shown: all, or only its members. */
export type Readers = (typeof readerSettings)[number];

const registrations = ['open', 'invitation', 'request', 'closed'] as const;
export type Registration = (typeof registrations)[number];

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
});
export type SiteSettings = Static<typeof SiteSettings>;

export const SavedSettings = Type.Object({
  ...SiteSettings.properties,
  revision: Type.Integer({ description: 'Para If-Match. 0 antes de guardarlos por primera vez.' }),
  savedAt: Nullable(Instant),
  /** Settings that the machine's environment overrides. */
  fixed: Type.Array(Type.Enum(['contact', 'links'])),
});
export type SavedSettings = Static<typeof SavedSettings>;

export const SettingsChange = Type.Partial(SiteSettings);
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
export const InvitationList = Type.Object({ data: Type.Array(Invitation) });
export type InvitationList = Static<typeof InvitationList>;
