import type { Generated } from 'kysely';
import type { Role } from '../../shared/moderation.ts';
import type { Every } from '../../shared/notification-settings.ts';
import type { Level, NotificationKind } from '../../shared/notifications.ts';

export type MailKind = 'recover' | 'confirm' | 'address-changed' | 'news';

/** Accounts, the ways into them, and what is kept for each of them. Times are milliseconds since 1970 in UTC. */
export interface AccountTables {
  accounts: {
    id: string;
    name: string;
    email: string;
    /** `emailKey(email)`, unique; null once it is erased. */
    email_key: string | null;
    /** PHC string. */
    password_hash: string;
    img: string | null;
    created_at_ms: number;
    /** When sign-in was disabled; null while it is allowed. */
    disabled_at_ms: number | null;
    /** `nameKey(name)`; null once it is erased. */
    name_key: string | null;
    /** When its owner last changed the name; null for never. */
    name_changed_at_ms: number | null;
    /** When it is to be erased; null unless its owner asked for it or nobody let it in, and after it was done. */
    deletion_at_ms: number | null;
    /** Whether its content stays without its name (`anonymous`) or is erased too (`erase`). */
    deletion_content: string | null;
    /** When its owner or the operator asked for its deletion; null where the time to let it in ends. */
    deletion_requested_at_ms: number | null;
    /** When its owner made recovery codes or was reminded of them; null for never. */
    recovery_reminded_at_ms: number | null;
    /** Id of the newest of its notifications when it last looked at them. */
    notifications_seen_id: Generated<number>;
    /** When it was erased. The row stays, without anything personal, for what refers to it. */
    erased_at_ms: number | null;
    role: Generated<Role>;
    /** The decision that hides everything of the account and silences it; null while none does. */
    hidden_by: string | null;
    /** Whether it asked to be let in or was refused, and cannot sign in; null once it was let in. */
    admission: 'pending' | 'refused' | null;
    /** The answer to "¿Quién eres?" in a request for an account; empty unless the account waits for approval. */
    about: Generated<string>;
    /** The decision that refused it; null when the operator did, by disabling it. */
    refused_by: string | null;
    /** The invitation with which it was opened. */
    invitation_id: string | null;
    /** Since when it is approved: see accounts/standing/shown-accounts.ts. */
    approved_at_ms: number | null;
    /** When its owner showed that the address is theirs; null for the present address if not yet. */
    email_confirmed_at_ms: number | null;
    /** How often its news are sent by e-mail, once the address is confirmed. */
    mail_every: Generated<Every>;
    /** Random; the tokens in its mails are made with it. Null until it is first sent one. */
    mail_secret: string | null;
    /** When the server of the address refused a mail for good; null once one was taken, or the owner asked for news again. */
    mail_refused_at_ms: number | null;
    /** Id of the newest of its notifications that a mail was made of. */
    mailed_notification_id: Generated<number>;
    /** When news were last sent to it, or its address was confirmed. */
    mailed_at_ms: Generated<number>;
  };
  invitations: {
    /** UUIDv7, so that ids sort by time. */
    id: string;
    /** SHA-256 of the code, base64url. */
    code_hash: string;
    /** The account that invites. */
    account_id: string;
    uses: number;
    used: number;
    created_at_ms: number;
    ends_at_ms: number;
    /** Null unless it was revoked. */
    revoked_at_ms: number | null;
  };
  /** Words of the names of accounts, as `findForms` finds them. */
  account_names: {
    word: string;
    account_id: string;
  };
  /** Browsers that stay signed in. */
  devices: {
    id: string;
    /** SHA-256 of the cookie's value, base64url. */
    token_hash: string;
    account_id: string;
    /** Name of browser and system, for people. */
    browser: string;
    created_at_ms: number;
    last_used_at_ms: number;
    expires_at_ms: number;
  };
  sessions: {
    /** SHA-256 of the token, base64url. A fast hash is enough: nobody can guess 256 random bits from a stolen table. */
    token_hash: string;
    /** Public, unlike the token. */
    id: string;
    account_id: string;
    /** The remembered browser that opened the session, and whose end ends it. */
    device_id: string | null;
    /** As in `devices`. */
    browser: Generated<string>;
    created_at_ms: number;
    /** Up to an hour ago when it is in use. */
    last_used_at_ms: number;
    expires_at_ms: number;
  };
  /** Single-use codes to set a new password. */
  recovery_codes: {
    /** SHA-256 of account and code, base64url. */
    code_hash: string;
    account_id: string;
    created_at_ms: number;
  };
  passkeys: {
    /** Credential id, base64url. */
    id: string;
    account_id: string;
    /** COSE key, base64url. */
    public_key: string;
    counter: number;
    /** JSON array of WebAuthn's transports. */
    transports: string;
    /** Given by its owner. */
    name: string;
    created_at_ms: number;
    last_used_at_ms: number | null;
  };
  /** Challenges that were handed out and not answered yet. */
  passkey_challenges: {
    /** SHA-256 of the challenge, base64url. */
    challenge_hash: string;
    /** The account that adds a passkey; null for signing in. */
    account_id: string | null;
    expires_at_ms: number;
  };
  /** Single-use links to set a new password. */
  password_links: {
    /** SHA-256 of the token, base64url. */
    token_hash: string;
    account_id: string;
    expires_at_ms: number;
    /** The moderator who made it; null for the operator, and for a mailed one. */
    made_by: string | null;
    /** The mail that it is sent in, to an owner who asked for it; null for one that a moderator or the operator made. */
    mail_id: string | null;
  };
  /** Single-use links that confirm the present e-mail address. */
  email_confirmations: {
    /** SHA-256 of the token, base64url. */
    token_hash: string;
    /** Unique. */
    account_id: string;
    expires_at_ms: number;
  };
  /** Mails that wait to be sent, and those of the last two days. Their text is made when they are sent. */
  mails: {
    /** UUIDv7. The Message-ID begins with it. */
    id: string;
    account_id: string;
    kind: MailKind;
    /** Lower ones are sent first. */
    rank: number;
    /** The former address, for the mail about its change; null for the present one. */
    email: string | null;
    /** News are the notifications with ids above this one, up to the next. */
    after_notification_id: Generated<number>;
    notification_id: Generated<number>;
    created_at_ms: number;
    tries: Generated<number>;
    /** Null once it was sent or given up. */
    next_try_at_ms: number | null;
    /** When a server took it. */
    sent_at_ms: number | null;
  };
  /** How far each person has read each channel. Only rises. */
  reading_positions: {
    account_id: string;
    channel_id: string;
    number: number;
    /** Which comments of the channel are news to the person. */
    level: Generated<Level>;
  };
  /** What concerned a person: one row for each event, for 90 days. Whether it is new, or visible, is computed. */
  notifications: {
    /** Never given out twice. */
    id: Generated<number>;
    /** The person concerned. */
    account_id: string;
    channel_id: string;
    /** Of the answer, of the comment that mentions the person, or of the person's own that was thanked. */
    number: number;
    kind: NotificationKind;
    /** The person who answered, mentioned or thanked. */
    actor_id: string;
    created_at_ms: number;
  };
}
