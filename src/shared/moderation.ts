import Type, { type Static } from 'typebox';
import { CommentImage } from './comments.ts';
import { limits } from './limits.ts';
import { pendingReasons } from './pending.ts';
import { Id, Instant, ListOf, Nullable, Text } from './schema.ts';

export const Role = Type.Enum(['member', 'moderator', 'admin']);
export type Role = Static<typeof Role>;

const SubjectKind = Type.Enum(['comment', 'channel', 'user']);
export type SubjectKind = Static<typeof SubjectKind>;

/** Why something is reported, and the category of a decision. */
const CategorySchema = Type.Enum(['spam', 'abuse', 'personal_data', 'illegal', 'other']);
export type Category = Static<typeof CategorySchema>;

const decidable = [
  ...(['hide', 'silence', 'suspend', 'hideAll'] as const),
  /** Let an account in or publish what is held, and refuse it. */
  ...(['approve', 'reject'] as const),
  /** Leave what was reported, or the decision that was appealed against, as it is. */
  'dismiss',
] as const;
/** `undo` ends a decision in force; `passwordLink` says that an admin made a link with which an account gets another password. */
const ActionSchema = Type.Enum([...decidable, 'undo', 'passwordLink']);
export type DecisionAction = Static<typeof ActionSchema>;

/** A comment (`<channel>-<number>`), a channel or a person, by its id. */
export const Subject = Type.Object({ kind: SubjectKind, id: Id() });
export type Subject = Static<typeof Subject>;

/** Several accounts, such as those of a raid. */
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

/** The last four are required of a guest who reports illegal content. */
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
  outcome: Type.Optional(ActionSchema),
});
export type ReportState = Static<typeof ReportState>;

/** A report by the caller, without what it is about, which others wrote. */
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
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
  reason: Type.Optional(Text(limits.reasonChars)),
});
export type NewDecision = Static<typeof NewDecision>;

/** Why a decision is undone; the person concerned reads it. */
export const NewUndo = Type.Object({
  reason: Text(limits.reasonChars),
  appeal: Type.Optional(
    Id({ description: 'El recurso al que se da la razón, si la decisión se deshace por eso.' }),
  ),
});
export type NewUndo = Static<typeof NewUndo>;

export const Decision = Type.Object({
  id: Type.String(),
  at: Instant,
  action: ActionSchema,
  category: CategorySchema,
  reason: Type.String(),
  /** In an `undo`: the id of the decision that it undoes. */
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
  /** How many accounts it concerns. */
  accounts: Type.Integer(),
});
export type Decision = Static<typeof Decision>;

export const QueueItem = Type.Object({
  subject: Subject,
  version: Type.String(),
  /** As reported; what somebody who asks to be let in says about themselves. The text of the appeal is in `appeal`. */
  text: Type.String(),
  /** Null when it does not exist any more. */
  textNow: Nullable(Type.String()),
  images: Type.Array(CommentImage),
  openedAt: Instant,
  /** Whether visitors see it, and if not, why; of a comment, supposing they see its channel. */
  state: Type.Enum(['visible', 'hidden', 'deleted', 'erased', 'pending']),
  author: Type.Object({
    id: Type.String(),
    name: Type.String(),
    role: Role,
    createdAt: Instant,
    /** Name of who invited the author; empty without an invitation, and once that is forgotten. */
    invitedBy: Type.String(),
    /** The newest other decisions that concern the author, at most ten, without answers to appeals. */
    history: Type.Array(Type.Pick(Decision, ['id', 'at', 'action', 'category', 'undoneAt'])),
  }),
  /** The beginnings of what the account wrote last, hidden or not, where the item is about all of it; else empty. */
  wrote: Type.Array(Type.String()),
  reports: Type.Object({
    count: Type.Integer(),
    reasons: Type.Record(Type.String(), Type.Integer()),
    /** At most ten, the oldest first. `from` is empty for guests without a name, and names those of legal notices with their address. */
    texts: Type.Array(
      Type.Object({
        reason: CategorySchema,
        text: Type.String(),
        from: Type.String(),
        at: Instant,
        /** The content at that time, if it had changed since it was first reported. */
        said: Type.Optional(Type.String()),
      }),
    ),
  }),
  context: Type.Object({
    channel: Nullable(Type.Object({ _id: Type.String(), name: Type.String() })),
    before: Type.Array(Type.Object({ autor: Type.String(), comment: Type.String() })),
    after: Type.Array(Type.Object({ autor: Type.String(), comment: Type.String() })),
  }),
  /** The appeal that waits: `dismiss` with its id upholds the decision, `undo` of the decision with its id grants it. */
  appeal: Nullable(Type.Object({ id: Type.String(), text: Type.String(), decision: Decision })),
  /** Why the caller cannot decide it; null when the caller can. */
  refusal: Nullable(Type.String()),
  decision: Nullable(Decision),
  /** Why it waits for approval; null for reports and appeals. */
  pendingReason: Nullable(Type.Enum([...pendingReasons, 'sign_up'])),
});
export type QueueItem = Static<typeof QueueItem>;

export const Queue = Type.Object({
  ...ListOf(QueueItem).properties,
  /** With `decided`: the decisions in force that no report led to, made between those of this page. */
  others: Type.Array(Decision),
  counts: Type.Object({ open: Type.Integer(), pending: Type.Integer() }),
  /** Whether registration is open and first posts are not held: see `SiteSettings`. */
  isOpenToSpam: Type.Boolean(),
});
export type Queue = Static<typeof Queue>;

/** An account that was opened between two times, with what it wrote. */
export const NewAccount = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdAt: Instant,
  /** Whether a moderator has approved the account or something that it wrote. */
  isApproved: Type.Boolean(),
  comments: Type.Integer(),
  channels: Type.Integer(),
  /** Comments and channels that wait for approval. */
  waiting: Type.Integer(),
  /** The beginning of what it wrote last, whether visitors see it or not; empty without any. */
  excerpt: Type.String(),
});
export type NewAccount = Static<typeof NewAccount>;
/** Newest first, without staff and without accounts that are hidden already. */
export const NewAccountList = Type.Object({
  data: Type.Array(NewAccount),
  /** Whether these are all; else the newest `limits.raidAccounts`. */
  isComplete: Type.Boolean(),
});
export type NewAccountList = Static<typeof NewAccountList>;

/** An account, as moderators find it by its name. */
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
});
export type Member = Static<typeof Member>;
export const MemberList = ListOf(Member);
export type MemberList = Static<typeof MemberList>;

/** A decision about the caller. */
export const OwnDecision = Type.Object({
  ...Type.Pick(Decision, ['id', 'at', 'action', 'category', 'reason', 'until']).properties,
  subject: Subject,
  /** The beginning of the content; empty for a person, and once it is erased. */
  excerpt: Type.String(),
  /** The decision that this one undoes. */
  undoes: Nullable(Type.String()),
  /** Whether it is in force: neither undone nor over. */
  isInForce: Type.Boolean(),
  appeal: Nullable(
    Type.Object({
      text: Type.String(),
      at: Instant,
      state: Type.Enum(['open', 'upheld', 'granted']),
      reason: Type.String({ description: 'De la respuesta; vacío mientras no la hay.' }),
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
  action: ActionSchema,
  category: CategorySchema,
  isUndone: Type.Boolean(),
});
export type LogEntry = Static<typeof LogEntry>;
export const Log = ListOf(LogEntry);
export type Log = Static<typeof Log>;

/** A text that a comment had until `until`; null for the present one, which comes last. */
export const CommentVersions = Type.Object({
  data: Type.Array(
    Type.Object({
      revision: Type.Integer(),
      text: Type.String(),
      /** Their addresses are valid for ten minutes. */
      images: Type.Array(CommentImage),
      until: Nullable(Instant),
    }),
  ),
});
export type CommentVersions = Static<typeof CommentVersions>;

export const NewRole = Type.Object({ role: Role });
export const PasswordLink = Type.Object({ url: Type.String(), endsAt: Instant });
export type PasswordLink = Static<typeof PasswordLink>;
