import Type, { type Static } from 'typebox';
import { CommentImage } from './comments.ts';
import { CommentEvent } from './events.ts';
import { CommentFile } from './files.ts';
import { limits } from './limits.ts';
import { pendingReasons } from './pending.ts';
import { Id, Instant, ListOf, Nullable, Text } from './schema.ts';

export const Role = Type.Enum(['member', 'moderator', 'admin']);
export type Role = Static<typeof Role>;

export const SubjectKind = Type.Enum(['comment', 'channel', 'user']);
export type SubjectKind = Static<typeof SubjectKind>;

/** The reason of a report, and the category of a decision. */
const CategorySchema = Type.Enum(['spam', 'abuse', 'personal_data', 'illegal', 'other']);
export type Category = Static<typeof CategorySchema>;

const decidable = [
  ...(['hide', 'silence', 'suspend', 'hideAll'] as const),
  /** Admit an account or publish a pending post, or refuse it. */
  ...(['approve', 'reject'] as const),
  /** Leave a reported item, or a decision under appeal, unchanged. */
  'dismiss',
] as const;
/**
 * `undo` ends a decision in force. `passwordLink` records that an admin created a link to set an account's password.
 */
export const DecisionAction = Type.Enum([...decidable, 'undo', 'passwordLink']);
export type DecisionAction = Static<typeof DecisionAction>;

/** A comment (`<channel>-<number>`), a channel or a person, by id. */
export const Subject = Type.Object({ kind: SubjectKind, id: Id() });
export type Subject = Static<typeof Subject>;

/** Several accounts, for example the accounts of a raid. */
export const Users = Type.Object({
  kind: Type.Literal('users'),
  ids: Type.Array(Id(), { minItems: 1, maxItems: limits.raidAccounts }),
});
export type Users = Static<typeof Users>;

/** An appeal, by its id in the queue. */
export const AppealSubject = Type.Object({ kind: Type.Literal('appeal'), id: Id() });
export type AppealSubject = Static<typeof AppealSubject>;

const DecisionSubject = Type.Union([Subject, Users, AppealSubject]);
export type DecisionSubject = Static<typeof DecisionSubject>;

/** The last four fields are required of a guest who reports illegal content. */
export const NewReport = Type.Object({
  ...Subject.properties,
  reason: CategorySchema,
  text: Type.Optional(Text(limits.reasonChars)),
  name: Type.Optional(Text(limits.userNameChars)),
  email: Type.Optional(Text(limits.emailChars)),
  goodFaith: Type.Optional(Type.Boolean()),
});
export type NewReport = Static<typeof NewReport>;

export const Receipt = Type.Object({ receipt: Type.String() });
export type Receipt = Static<typeof Receipt>;

export const ReportState = Type.Object({
  state: Type.Enum(['open', 'decided']),
  outcome: Type.Optional(DecisionAction),
});
export type ReportState = Static<typeof ReportState>;

/** A report by the caller, without the reported content, which others wrote. */
export const OwnReport = Type.Object({
  ...Subject.properties,
  reason: CategorySchema,
  text: Type.String(),
  createdAt: Instant,
  ...Receipt.properties,
  ...ReportState.properties,
});
export type OwnReport = Static<typeof OwnReport>;
export const OwnReports = Type.Object({ data: Type.Array(OwnReport) });
export type OwnReports = Static<typeof OwnReports>;

export const NewDecision = Type.Object({
  subject: DecisionSubject,
  version: Type.Optional(Id({ description: 'La de la cola, si la decisión viene de ella.' })),
  action: Type.Enum(decidable),
  category: Type.Optional(CategorySchema),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.restrictionDays })),
  reason: Type.Optional(Text(limits.reasonChars)),
});
export type NewDecision = Static<typeof NewDecision>;

/** Why a decision is undone; the person concerned reads it. */
export const NewUndo = Type.Object({
  reason: Text(limits.reasonChars),
  appeal: Type.Optional(
    Id({
      description: 'La petición de revisión que se concede, si la decisión se deshace por eso.',
    }),
  ),
});
export type NewUndo = Static<typeof NewUndo>;

export const Decision = Type.Object({
  id: Type.String(),
  at: Instant,
  action: DecisionAction,
  category: CategorySchema,
  reason: Type.String(),
  /** For `undo`: the id of the decision that is undone. */
  subject: DecisionSubject,
  author: Type.String({
    description: 'Nombre de la persona a la que afecta; vacío si son varias.',
  }),
  decidedBy: Type.String({ description: 'Nombre; vacío si fue quien administra el servidor.' }),
  until: Nullable(Instant),
  /** The decision that this one undoes. */
  undoes: Nullable(Type.String()),
  undoneAt: Nullable(Instant),
  isFinal: Type.Boolean({
    description:
      'No se puede deshacer: se deshace lo que oculta, silencia, suspende o no acepta una cuenta.',
  }),
  /** Number of accounts that it concerns. */
  accounts: Type.Integer(),
});
export type Decision = Static<typeof Decision>;

export const QueueItem = Type.Object({
  subject: Subject,
  version: Type.String(),
  text: Type.String({
    description:
      'Como se denunció, o lo que cuenta de sí quien pide entrar; el texto de una petición de revisión está en ' +
      '`appeal`. Si las fechas han cambiado desde entonces, le siguen sus palabras, también en `textNow`.',
  }),
  /** Null if it no longer exists. */
  textNow: Nullable(Type.String()),
  /** The dates that the comment carries, as they are now. */
  event: Nullable(CommentEvent),
  images: Type.Array(CommentImage),
  files: Type.Array(CommentFile),
  openedAt: Instant,
  /** Whether visitors see it, and if not, why. For a comment, assumes that they see its channel. */
  state: Type.Enum(['visible', 'hidden', 'deleted', 'erased', 'pending']),
  author: Type.Object({
    id: Type.String(),
    name: Type.String(),
    role: Role,
    /** An imported person has no page. */
    isImported: Type.Optional(Type.Literal(true)),
    createdAt: Instant,
    /** Name of the person who invited the author; empty without an invitation, or once its record is deleted. */
    invitedBy: Type.String(),
    /** The newest other decisions about the author, at most ten, without answers to appeals. */
    history: Type.Array(Type.Pick(Decision, ['id', 'at', 'action', 'category', 'undoneAt'])),
  }),
  /**
   * Excerpts of the account's latest posts, hidden or not, if the item concerns all of its posts; otherwise empty.
   */
  wrote: Type.Array(Type.String()),
  reports: Type.Object({
    count: Type.Integer(),
    reasons: Type.Record(Type.String(), Type.Integer()),
    /**
     * At most ten, oldest first. `from` is empty for guests without a name; for legal notices it includes the
     * address.
     */
    texts: Type.Array(
      Type.Object({
        reason: CategorySchema,
        text: Type.String(),
        from: Type.String(),
        at: Instant,
        /** The content at that time, if it had changed since the first report. */
        said: Type.Optional(Type.String()),
      }),
    ),
  }),
  context: Type.Object({
    channel: Nullable(Type.Object({ _id: Type.String(), name: Type.String() })),
    before: Type.Array(Type.Object({ autor: Type.String(), comment: Type.String() })),
    after: Type.Array(Type.Object({ autor: Type.String(), comment: Type.String() })),
  }),
  /**
   * The open appeal. `dismiss` with its id upholds the decision; `undo` of the decision with its id grants the
   * appeal.
   */
  appeal: Nullable(Type.Object({ id: Type.String(), text: Type.String(), decision: Decision })),
  /** Why the caller cannot decide it; null when the caller can. */
  refusal: Nullable(Type.String()),
  decision: Nullable(Decision),
  /** Why it awaits approval; null for reports and appeals. */
  pendingReason: Nullable(Type.Enum([...pendingReasons, 'sign_up'])),
});
export type QueueItem = Static<typeof QueueItem>;

export const Queue = Type.Object({
  ...ListOf(QueueItem).properties,
  /** With `decided`: decisions in force without a report, made between the decisions on this page. */
  others: Type.Array(Decision),
  counts: Type.Object({ open: Type.Integer(), pending: Type.Integer() }),
  /** Whether registration is open and first posts are published without review (see `SiteSettings`). */
  isOpenToSpam: Type.Boolean(),
  isOneAdminAlone: Type.Boolean({
    description: 'Solo administra una persona, con una cuenta de hace un mes o más.',
  }),
});
export type Queue = Static<typeof Queue>;

/** An account, as moderators see it. */
export const Member = Type.Object({
  id: Type.String(),
  name: Type.String(),
  img: Type.String({ description: 'Vacío si no tiene.' }),
  role: Role,
  state: Type.Enum(['active', 'silenced', 'suspended', 'hidden', 'waiting'], {
    description:
      '`suspended` es también la que desactivó quien administra el servidor; `waiting`, la que pidió entrar y ' +
      'nadie ha aprobado.',
  }),
  createdAt: Instant,
  beginning: Type.String({
    description: 'De lo último que escribió o espera, se vea o no; vacío si no hay nada.',
  }),
});
export type Member = Static<typeof Member>;
export const MemberList = ListOf(Member);
export type MemberList = Static<typeof MemberList>;

const Count = Type.Integer({ minimum: 0 });
const SummaryWeek = Type.Object({
  from: Type.String({ description: 'El lunes, como `2026-09-14`, según la zona de la comunidad.' }),
  comments: Count,
  writers: Type.Integer({ minimum: 0, description: 'Personas que escribieron.' }),
  channels: Type.Integer({ minimum: 0, description: 'Canales en los que alguien escribió.' }),
  newMembers: Count,
});
export type SummaryWeek = Static<typeof SummaryWeek>;
const Bars = Type.String({
  description: 'Una imagen SVG con una barra por semana, como URL `data:`.',
});
export const Summary = Type.Object({
  at: Instant,
  weeks: Type.Array(SummaryWeek, { description: 'Doce; la última es la de hoy.' }),
  bars: Type.Object({ comments: Bars, writers: Bars, channels: Bars, newMembers: Bars }),
});
export type Summary = Static<typeof Summary>;

/** A decision about the caller. */
export const OwnDecision = Type.Object({
  ...Type.Pick(Decision, ['id', 'at', 'action', 'category', 'reason', 'until']).properties,
  subject: Subject,
  /** Excerpt of the content; empty for a person, or once the content is erased. */
  excerpt: Type.String(),
  /** The decision that this one undoes. */
  undoes: Nullable(Type.String()),
  /** Whether it is in force: neither undone nor expired. */
  isInForce: Type.Boolean(),
  appeal: Nullable(
    Type.Object({
      text: Type.String(),
      at: Instant,
      state: Type.Enum(['open', 'upheld', 'granted']),
      reason: Type.String({ description: 'De la respuesta; vacío mientras no la hay.' }),
      /** The decision that answers it; null while there is none. */
      answerId: Nullable(Type.String()),
    }),
  ),
});
export type OwnDecision = Static<typeof OwnDecision>;
export const OwnDecisions = Type.Object({ data: Type.Array(OwnDecision) });
export type OwnDecisions = Static<typeof OwnDecisions>;

export const Appeal = Type.Object({ text: Text(limits.reasonChars) });
export type Appeal = Static<typeof Appeal>;

/** A line of the public log. */
export const LogEntry = Type.Object({
  at: Instant,
  action: DecisionAction,
  category: CategorySchema,
  isUndone: Type.Boolean(),
});
export type LogEntry = Static<typeof LogEntry>;
export const Log = ListOf(LogEntry);
export type Log = Static<typeof Log>;

/** The text of a comment until `until`, which is null for the current text at the end. */
export const CommentVersions = Type.Object({
  data: Type.Array(
    Type.Object({
      revision: Type.Integer(),
      text: Type.String(),
      /** Their URLs are valid for ten minutes. */
      images: Type.Array(CommentImage),
      until: Nullable(Instant),
    }),
  ),
});
export type CommentVersions = Static<typeof CommentVersions>;

export const NewRole = Type.Object({ role: Role });
export const PasswordLink = Type.Object({ url: Type.String(), endsAt: Instant });
export type PasswordLink = Static<typeof PasswordLink>;
