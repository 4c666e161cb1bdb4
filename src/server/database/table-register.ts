import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { limits } from '../../shared/limits.ts';
import { dayMs, trashMs } from '../system/times.ts';
import type { Tables } from './tables.ts';

/** Housekeeping steps (operation/housekeeping/erase-expired.ts) that do more than delete old rows. */
export type ExpiryStep =
  | 'devices'
  | 'channels'
  | 'comments'
  | 'comment versions'
  | 'cases'
  | 'imported people'
  | 'pending posts'
  | 'rate limits';

/** The reason why the rows stay as they are, or are left out of exports. */
interface Kept {
  kept: string;
}

/** Rows whose `column` is at least `afterMs` ago are deleted; with `only`, those that have one of these values. */
interface Expiry<Row> {
  column: keyof Row & string;
  afterMs: number;
  only?: { column: keyof Row & string; values: string[] };
}

/** Rows are a person's by the `account_id` of another table, which has these columns of theirs under these names. */
type Through<Row> = {
  [Table in keyof Tables]: 'account_id' extends keyof Tables[Table]
    ? { table: Table; on: { [Column in keyof Row & string]?: keyof Tables[Table] & string } }
    : never;
}[keyof Tables];

/**
 * The rows of the person whose account is exported, as lines of one file. A column is named as in the API: `created_at_ms`
 * becomes `createdAt`. Never export who acted or decided, who reported, nor anything that opens or proves something.
 */
interface Export<Row> {
  /** Name of the file, without its ending. */
  file: string;
  /** The columns that are the person's. */
  columns: (keyof Row & string)[];
  /** The column with the person's account, or the table that has it. */
  of: (keyof Row & ('id' | 'account_id')) | Through<Row>;
  /** The column whose text is JSON. */
  json?: keyof Row & string;
}

/** How backups, exports, erasures and housekeeping treat the rows of a table. */
export interface TableEntry<Row> {
  /** Columns of the primary key. */
  key: (keyof Row & string)[];
  /**
   * `rows`: backups contain the rows. `sign-in`: backups contain them, but a restore omits them unless asked to keep
   * sessions. `none`: backups omit them, because they derive from other tables, concern only this database, or are secrets that
   * browsers make anew.
   */
  backup: 'rows' | 'sign-in' | 'none';
  /** SQL condition: backups contain the rows that meet it, instead of all. */
  backupOnly?: RawBuilder<SqlBool>;
  export: Export<Row> | Kept;
  /**
   * `rows`: erasing an account deletes rows with its `account_id`. `statements`: privacy/erasure/ treats them. `cascade`: a
   * foreign key deletes them with what they belong to.
   */
  erasure: 'rows' | 'statements' | 'cascade' | Kept;
  /** Housekeeping runs this step, or deletes rows that are old enough. */
  expiry: Expiry<Row> | ExpiryStep | Kept;
}

const ofSite: Kept = { kept: 'It says nothing about an account.' };
const ofContent: Kept = {
  kept: 'They stay as long as the comment or channel that they belong to.',
};
const ofAccount: Kept = { kept: 'They stay until the account is erased.' };
const secret: Kept = { kept: 'It serves to recognize a secret and says nothing else.' };
const ofObjects: Kept = { kept: 'They name objects of no account, which housekeeping removes.' };
/** Images and versions of a comment are in the export of its author. */
const ofAuthor = {
  table: 'comments',
  on: { channel_id: 'channel_id', number: 'number' },
} as const;
/** Two backups of an open secret poll would show how those voted who voted between them. */
const ofClosedPolls = sql<SqlBool>`(channel_id, number) in (
  select channel_id, number from polls where closed_at_ms is not null)`;
const ofIndex: Kept = { kept: 'They are deleted with the comment or channel that they index.' };

/**
 * All tables, for backups, exports, erasures and housekeeping. Referenced tables come first, so that rows can be
 * inserted in this order and deleted in reverse.
 */
export const tableRegister: { [Table in keyof Tables]: TableEntry<Tables[Table]> } = {
  accounts: {
    key: ['id'],
    backup: 'rows',
    export: {
      file: 'cuenta',
      columns: [
        'id',
        'name',
        'email',
        'img',
        'about',
        'role',
        'created_at_ms',
        'name_changed_at_ms',
        'approved_at_ms',
        'hidden_by',
        'email_confirmed_at_ms',
        'mail_every',
        'mail_moderation',
        'push_excerpts',
        'quiet_nights',
        'zone',
        'follow',
        'tells_channels',
        'important',
        'deletion_at_ms',
        'deletion_requested_at_ms',
        'deletion_content',
      ],
      of: 'id',
    },
    erasure: 'statements',
    expiry: { kept: 'The row stays, without anything personal, for what refers to it.' },
  },
  account_names: {
    key: ['word', 'account_id'],
    backup: 'none',
    export: { kept: 'They are the words of the name, which is in the export.' },
    erasure: 'rows',
    expiry: ofAccount,
  },
  devices: {
    key: ['id'],
    backup: 'sign-in',
    export: {
      file: 'navegadores',
      columns: ['id', 'browser', 'created_at_ms', 'last_used_at_ms', 'expires_at_ms'],
      of: 'account_id',
    },
    erasure: 'rows',
    expiry: 'devices',
  },
  sessions: {
    key: ['token_hash'],
    backup: 'sign-in',
    export: {
      file: 'sesiones',
      columns: ['browser', 'created_at_ms', 'last_used_at_ms', 'expires_at_ms'],
      of: 'account_id',
    },
    erasure: 'rows',
    expiry: { column: 'expires_at_ms', afterMs: 0 },
  },
  push_subscriptions: {
    key: ['device_id'],
    backup: 'none',
    export: {
      file: 'avisos-en-navegadores',
      columns: ['device_id', 'created_at_ms'],
      of: 'account_id',
    },
    erasure: 'rows',
    expiry: { kept: 'They are deleted with the remembered browser.' },
  },
  recovery_codes: {
    key: ['code_hash'],
    backup: 'sign-in',
    export: secret,
    erasure: 'rows',
    expiry: ofAccount,
  },
  passkeys: {
    key: ['id'],
    backup: 'rows',
    export: {
      file: 'llaves-de-acceso',
      columns: ['name', 'created_at_ms', 'last_used_at_ms'],
      of: 'account_id',
    },
    erasure: 'rows',
    expiry: ofAccount,
  },
  passkey_challenges: {
    key: ['challenge_hash'],
    backup: 'sign-in',
    export: secret,
    erasure: { kept: 'They expire after five minutes.' },
    expiry: { column: 'expires_at_ms', afterMs: 0 },
  },
  channels: {
    key: ['id'],
    backup: 'rows',
    export: {
      file: 'canales',
      columns: [
        'id',
        'name',
        'description',
        'cover',
        'cover_alt',
        'created_at_ms',
        'edited_at_ms',
        'revision',
        'closed_at_ms',
        'deleted_at_ms',
        'pinned_at_ms',
        'hidden_by',
      ],
      of: 'account_id',
    },
    erasure: 'statements',
    expiry: 'channels',
  },
  imports: {
    key: ['channel_id'],
    backup: 'rows',
    export: { kept: 'What was written there is not the words of the admin who brought it.' },
    // They belong to the channel, which stays while others wrote in it.
    erasure: 'cascade',
    expiry: ofContent,
  },
  imported_people: {
    key: ['channel_id', 'source_hash'],
    backup: 'rows',
    export: secret,
    // They belong to the channel: by the hash a later file leaves out who withdrew their words.
    erasure: 'cascade',
    expiry: 'imported people',
  },
  comments: {
    key: ['channel_id', 'number'],
    backup: 'rows',
    export: {
      file: 'comentarios',
      columns: [
        'channel_id',
        'number',
        'text',
        'created_at_ms',
        'revision',
        'edited_at_ms',
        'reply_to',
        'deleted_at_ms',
        'hidden_by',
      ],
      of: 'account_id',
    },
    erasure: 'statements',
    expiry: 'comments',
  },
  comment_images: {
    key: ['channel_id', 'number', 'position'],
    backup: 'rows',
    export: {
      file: 'imagenes-de-comentarios',
      columns: ['channel_id', 'number', 'position', 'url', 'alt'],
      of: ofAuthor,
    },
    erasure: 'cascade',
    expiry: ofContent,
  },
  comment_files: {
    key: ['channel_id', 'number', 'position'],
    backup: 'rows',
    export: {
      file: 'archivos-de-comentarios',
      columns: ['channel_id', 'number', 'position', 'url'],
      of: ofAuthor,
    },
    erasure: 'cascade',
    expiry: ofContent,
  },
  comment_thanks: {
    key: ['channel_id', 'number', 'account_id'],
    backup: 'rows',
    export: {
      file: 'gracias',
      columns: ['channel_id', 'number', 'created_at_ms'],
      of: 'account_id',
    },
    erasure: 'statements',
    expiry: ofContent,
  },
  comment_events: {
    key: ['channel_id', 'number'],
    backup: 'rows',
    export: {
      file: 'fechas',
      columns: ['channel_id', 'number', 'title', 'location', 'zone', 'all_day', 'capacity'],
      of: ofAuthor,
    },
    erasure: 'cascade',
    expiry: ofContent,
  },
  event_dates: {
    key: ['channel_id', 'number', 'position'],
    backup: 'rows',
    export: {
      file: 'dias-de-las-fechas',
      columns: [
        'channel_id',
        'number',
        'position',
        'start_time',
        'end_time',
        'cancelled_at_ms',
        'reason',
      ],
      of: ofAuthor,
    },
    erasure: 'cascade',
    expiry: ofContent,
  },
  event_rsvps: {
    key: ['channel_id', 'number', 'position', 'account_id'],
    backup: 'rows',
    export: {
      file: 'respuestas-a-fechas',
      columns: ['channel_id', 'number', 'position', 'answer', 'people', 'answered_at_ms'],
      of: 'account_id',
    },
    erasure: 'statements',
    expiry: ofContent,
  },
  polls: {
    key: ['channel_id', 'number'],
    backup: 'rows',
    export: {
      file: 'encuestas',
      columns: ['channel_id', 'number', 'is_multiple', 'is_secret', 'closes_at_ms', 'closed_at_ms'],
      of: ofAuthor,
    },
    erasure: 'cascade',
    expiry: ofContent,
  },
  poll_options: {
    key: ['channel_id', 'number', 'position'],
    backup: 'rows',
    export: {
      file: 'opciones-de-encuestas',
      columns: ['channel_id', 'number', 'position', 'text', 'start_time'],
      of: ofAuthor,
    },
    erasure: 'cascade',
    expiry: ofContent,
  },
  poll_votes: {
    key: ['channel_id', 'number', 'position', 'account_id'],
    backup: 'rows',
    export: {
      file: 'votos',
      columns: ['channel_id', 'number', 'position'],
      of: 'account_id',
    },
    erasure: 'rows',
    expiry: ofContent,
  },
  secret_voters: {
    key: ['channel_id', 'number', 'account_id'],
    backup: 'rows',
    backupOnly: ofClosedPolls,
    export: {
      file: 'votos-secretos',
      columns: ['channel_id', 'number'],
      of: 'account_id',
    },
    erasure: 'rows',
    expiry: ofContent,
  },
  secret_counts: {
    key: ['channel_id', 'number', 'position'],
    backup: 'rows',
    backupOnly: ofClosedPolls,
    export: { kept: 'It says nothing about an account.' },
    erasure: 'cascade',
    expiry: ofContent,
  },
  announcements: {
    key: ['channel_id', 'number'],
    backup: 'rows',
    export: {
      file: 'comunicados',
      columns: ['channel_id', 'number', 'until_day', 'asks_confirmation'],
      of: ofAuthor,
    },
    erasure: 'cascade',
    expiry: ofContent,
  },
  acknowledgements: {
    key: ['channel_id', 'number', 'account_id'],
    backup: 'rows',
    export: {
      file: 'comunicados-leidos',
      columns: ['channel_id', 'number', 'acknowledged_at_ms'],
      of: 'account_id',
    },
    erasure: 'rows',
    expiry: ofContent,
  },
  comment_versions: {
    key: ['channel_id', 'number', 'revision'],
    backup: 'rows',
    export: {
      file: 'versiones-de-comentarios',
      columns: ['channel_id', 'number', 'revision', 'text', 'replaced_at_ms'],
      of: ofAuthor,
    },
    erasure: 'cascade',
    expiry: 'comment versions',
  },
  comment_version_images: {
    key: ['channel_id', 'number', 'revision', 'position'],
    backup: 'rows',
    export: {
      file: 'imagenes-de-versiones',
      columns: ['channel_id', 'number', 'revision', 'position', 'url', 'alt'],
      of: ofAuthor,
    },
    erasure: 'cascade',
    expiry: 'comment versions',
  },
  channel_versions: {
    key: ['channel_id', 'revision'],
    backup: 'rows',
    export: {
      file: 'versiones-de-canales',
      columns: [
        'channel_id',
        'revision',
        'name',
        'description',
        'cover',
        'cover_alt',
        'replaced_at_ms',
      ],
      of: { table: 'channels', on: { channel_id: 'id' } },
    },
    erasure: 'statements',
    expiry: { column: 'replaced_at_ms', afterMs: trashMs },
  },
  reading_positions: {
    key: ['account_id', 'channel_id'],
    backup: 'rows',
    export: {
      file: 'lecturas',
      columns: ['channel_id', 'number', 'level'],
      of: 'account_id',
    },
    erasure: 'rows',
    expiry: ofAccount,
  },
  images: {
    key: ['full_path'],
    backup: 'rows',
    export: {
      file: 'imagenes',
      columns: [
        'url',
        'use',
        'content_type',
        'size_bytes',
        'width',
        'height',
        'created_at_ms',
        'is_lost',
      ],
      of: 'account_id',
    },
    erasure: 'statements',
    expiry: { kept: 'The sweep removes images that nothing uses (images/sweep-images.ts).' },
  },
  unconfirmed_objects: {
    key: ['image_id'],
    backup: 'none',
    export: ofObjects,
    erasure: ofObjects,
    expiry: {
      kept: 'After a day the sweep makes orphaned objects of them (images/sweep-images.ts).',
    },
  },
  orphaned_objects: {
    key: ['image_id'],
    backup: 'none',
    export: ofObjects,
    erasure: ofObjects,
    expiry: { kept: 'The sweep deletes them with the objects.' },
  },
  site_settings: {
    key: ['id'],
    backup: 'rows',
    export: ofSite,
    erasure: ofSite,
    expiry: { kept: 'One row.' },
  },
  invitations: {
    key: ['id'],
    backup: 'rows',
    export: {
      file: 'invitaciones',
      columns: ['uses', 'used', 'created_at_ms', 'ends_at_ms', 'revoked_at_ms'],
      of: 'account_id',
    },
    erasure: 'rows',
    // Moderators can see who invited whom during that year.
    expiry: { column: 'ends_at_ms', afterMs: 365 * dayMs },
  },
  mailed_invitations: {
    key: ['id'],
    backup: 'rows',
    export: { kept: 'Its addresses are those of other people.' },
    // Erasing an account deletes the invitation to its address, and a foreign key those of its invitations.
    erasure: 'statements',
    expiry: { column: 'ends_at_ms', afterMs: 0 },
  },
  pending_posts: {
    key: ['id'],
    backup: 'rows',
    export: {
      file: 'pendientes',
      columns: ['id', 'kind', 'channel_id', 'content', 'created_at_ms', 'rejected_by'],
      of: 'account_id',
      json: 'content',
    },
    erasure: 'statements',
    expiry: 'pending posts',
  },
  pending_post_images: {
    key: ['pending_post_id', 'url'],
    backup: 'rows',
    export: { kept: 'The content of the post names them.' },
    erasure: 'cascade',
    expiry: 'pending posts',
  },
  decisions: {
    key: ['id'],
    backup: 'rows',
    export: {
      file: 'decisiones',
      // The subject of a decision about several accounts is empty, so that it names nobody else.
      columns: [
        'id',
        'at_ms',
        'action',
        'category',
        'reason',
        'subject_kind',
        'subject_id',
        'until_ms',
        'undoes',
      ],
      of: { table: 'decision_accounts', on: { id: 'decision_id' } },
    },
    erasure: 'statements',
    expiry: { kept: 'They are the public log.' },
  },
  decision_accounts: {
    key: ['decision_id', 'account_id'],
    backup: 'rows',
    export: { kept: 'The decisions are in the export.' },
    erasure: 'statements',
    expiry: { kept: 'Undoing a decision changes back what it did to erased accounts, too.' },
  },
  notifications: {
    key: ['id'],
    backup: 'rows',
    export: {
      file: 'avisos',
      columns: ['kind', 'channel_id', 'number', 'decision_id', 'created_at_ms'],
      of: 'account_id',
    },
    // Notifications caused by the account are erased with its comments and thanks.
    erasure: 'rows',
    expiry: { column: 'created_at_ms', afterMs: limits.notificationDays * dayMs },
  },
  appeals: {
    key: ['id'],
    backup: 'rows',
    export: {
      file: 'recursos',
      columns: ['decision_id', 'text', 'at_ms', 'answer'],
      of: 'account_id',
    },
    erasure: 'statements',
    expiry: { kept: 'They stay with the decisions about the account until it is erased.' },
  },
  cases: {
    key: ['id'],
    backup: 'rows',
    export: {
      file: 'denunciado',
      // A case also has the reported text, its author and the number of reports, which are not the reporter's data.
      columns: ['id', 'subject_kind', 'subject_id', 'decided_at_ms'],
      of: { table: 'reports', on: { id: 'case_id' } },
    },
    erasure: 'statements',
    expiry: 'cases',
  },
  case_images: {
    key: ['case_id', 'url'],
    backup: 'rows',
    export: { kept: 'They have what others reported.' },
    erasure: { kept: 'They stay as long as the reported text.' },
    expiry: 'cases',
  },
  reports: {
    key: ['id'],
    backup: 'rows',
    export: {
      file: 'denuncias',
      columns: ['case_id', 'reason', 'text', 'created_at_ms'],
      of: 'account_id',
    },
    erasure: 'statements',
    expiry: 'cases',
  },
  image_names: {
    key: ['name_hash'],
    backup: 'rows',
    export: { kept: 'It has hashes only.' },
    erasure: { kept: 'Hashes of names stay, so that an address never shows another image.' },
    expiry: { kept: 'An address never shows another image.' },
  },
  password_links: {
    key: ['token_hash'],
    backup: 'sign-in',
    export: secret,
    erasure: 'rows',
    expiry: { column: 'expires_at_ms', afterMs: 0 },
  },
  email_confirmations: {
    key: ['token_hash'],
    backup: 'sign-in',
    export: secret,
    erasure: 'rows',
    expiry: { column: 'expires_at_ms', afterMs: 0 },
  },
  mails: {
    key: ['id'],
    backup: 'none',
    export: { kept: 'They say when something was sent, for two days.' },
    erasure: 'rows',
    expiry: { column: 'created_at_ms', afterMs: 2 * dayMs },
  },
  audit_log: {
    key: ['id'],
    backup: 'rows',
    export: { kept: 'It says what others did with the account.' },
    erasure: { kept: 'It has ids only, and shows that nobody acted without permission.' },
    // Entries of moderators and operators stay.
    expiry: {
      column: 'at_ms',
      afterMs: 365 * dayMs,
      only: { column: 'actor', values: ['owner', 'recovery code', 'password link'] },
    },
  },
  site: { key: ['id'], backup: 'rows', export: ofSite, erasure: ofSite, expiry: ofSite },
  report_secret: { key: ['id'], backup: 'none', export: ofSite, erasure: ofSite, expiry: ofSite },
  push_keys: { key: ['id'], backup: 'none', export: ofSite, erasure: ofSite, expiry: ofSite },
  rate_limits: {
    key: ['key'],
    backup: 'rows',
    export: { kept: 'It counts requests, and expires within a day.' },
    erasure: { kept: 'They expire within a day.' },
    expiry: 'rate limits',
  },
  search_channels: {
    key: ['id'],
    backup: 'none',
    export: ofIndex,
    erasure: 'statements',
    expiry: ofIndex,
  },
  search_docs: {
    key: ['doc'],
    backup: 'none',
    export: ofIndex,
    erasure: 'statements',
    expiry: ofIndex,
  },
  search_state: { key: ['id'], backup: 'none', export: ofSite, erasure: ofSite, expiry: ofSite },
};

/** The tables whose entries have this value, in the order of the register. */
export function tablesWith<Use extends 'backup' | 'erasure'>(
  use: Use,
  value: TableEntry<object>[Use],
): (keyof Tables)[] {
  const names = Object.keys(tableRegister) as (keyof Tables)[];
  return names.filter((name) => tableRegister[name][use] === value);
}

/** An entry of `export`, of whichever table. */
export interface ExportedTable {
  table: string;
  file: string;
  columns: string[];
  of: string | { table: string; on: Record<string, string | undefined> };
  json?: string;
}

/** The tables whose rows are in an account's export, in the order of the register. */
export const exportedTables: ExportedTable[] = Object.entries(tableRegister).flatMap(
  ([table, entry]) => ('kept' in entry.export ? [] : [{ table, ...entry.export }]),
);

/** The tables that backups contain, with their primary keys. */
export const backedUpTables: Record<string, { key: string[]; backupOnly?: RawBuilder<SqlBool> }> =
  Object.fromEntries(Object.entries(tableRegister).filter(([, { backup }]) => backup !== 'none'));
