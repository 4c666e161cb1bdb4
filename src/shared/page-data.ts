import type { HomeAnnouncement } from './announcements.ts';
import type { Channel, ChannelOrder } from './channels.ts';
import type { CommentRange } from './comment-range.ts';
import type { CalendarDate, CalendarPage } from './events.ts';
import type { DocumentPage } from './files.ts';
import type { LogEntry } from './moderation.ts';
import type { FormPage } from './pages.ts';
import type { Person, PersonComment } from './people.ts';
import type { SearchOrder, SearchResults } from './search.ts';
import type { Readers, Registration } from './site-settings.ts';

/**
 * The data that the server renders a page from and embeds for hydration. It is the same for every
 * visitor and never contains data of the signed-in user.
 */
export type PageData =
  | {
      page: 'home';
      channels: Channel[];
      /** Empty except on the first page. */
      pinned: Channel[];
      order: ChannelOrder;
      /** Cursor of the next page, null on the last. `after` is the cursor in the URL, null on the first page. */
      next: string | null;
      after: string | null;
      /** The next dates; empty except on the first page. */
      upcoming: CalendarDate[];
      /** Those of these days; empty except on the first page. */
      announcements: HomeAnnouncement[];
    }
  | {
      page: 'channel';
      /** Includes one page of its comments. */
      channel: Channel;
      /** Cursors for `after` and `before`; null at the ends. */
      next: string | null;
      previous: string | null;
      range: CommentRange;
    }
  | ({ page: 'calendar' } & CalendarContent)
  | ({ page: 'documents' } & DocumentsContent)
  | ({ page: 'user' } & PersonContent)
  | ({ page: 'search' } & SearchContent)
  | { page: 'log'; entries: LogEntry[]; next: string | null; after: string | null }
  | { page: FormPage | 'not-found' | 'members-only' };

/** A channel, or a list of channels, as far as it shows what comments carry. */
export type Carrying = Pick<Channel, 'upcoming' | 'documents'> & Partial<Pick<Channel, 'comments'>>;

/** Whether a channel or a list of channels shows what comments carry. */
export const hasCarried = ({ upcoming = [], documents = [], comments = [] }: Carrying) =>
  upcoming.length + documents.length > 0 ||
  comments.some(({ event, files }) => event !== null || files.length > 0);

/** Whether the page shows what comments carry, whose script hydration needs. */
export function showsCarried(data: PageData): boolean {
  if (data.page === 'home') return hasCarried(data);
  return data.page === 'channel' && hasCarried(data.channel);
}

interface CalendarContent {
  calendar: CalendarPage;
  /** The month and the cursor in the URL; null without. */
  from: string | null;
  after: string | null;
}

interface DocumentsContent {
  /** A part of the names; empty for all. */
  q: string;
  /** The channel whose files are listed; null for all. */
  channel: { _id: string; name: string } | null;
  documents: DocumentPage;
  /** The cursor in the URL; null on the first page. */
  after: string | null;
}

export interface SearchContent {
  q: string;
  /** The channel to search in; null for all. */
  channel: { _id: string; name: string } | null;
  /** The person whose comments are searched, without a name if there is no such account; null for everyone. */
  author: { id: string; name: string | null } | null;
  isExact: boolean;
  sort: SearchOrder;
  after: string | null;
  /** Null if nothing was searched for. */
  results: SearchResults | null;
  /** Advice when `q` cannot be searched for. */
  hint: string | null;
}

interface PersonContent {
  person: Person;
  /** Newest first, at most `limits.listItems`. */
  channels: Channel[];
  /** One page of comments, newest first. */
  comments: PersonComment[];
  /** Cursor of the next page of comments; null on the last one. */
  next: string | null;
  after: string | null;
}

/** The settings of this site that pages show. */
export interface Site {
  /** The community's own name; empty if it has none. */
  name: string;
  /** Shown below the name on the home page; empty if there is none. */
  welcome: string;
  readers: Readers;
  registration: Registration;
  /** In which dates are written; empty while none is set, and for guests where only members read. */
  zone: string;
  socialLinks: { label: string; href: string }[];
  maxImageMb: number;
  maxFileMb: number;
  /** Contact for questions: an e-mail address or a sentence. Only on pages that show it. */
  contact?: string | null;
  /** Whether the rules page shows a contact. */
  hasContact: boolean;
  /** Only on the page that shows them. */
  rules?: string;
  /** Whether the site sends e-mail. */
  hasMail: boolean;
  /** While nobody administers the site, the operator's command that prints a link for its founder; otherwise null. */
  founderCommand: string | null;
}

/** Title and description of a page, as a tab shows them. */
export interface PageHead {
  title: string;
  description: string;
}

/** Preview of a link to a page on other sites and in search engines. */
export interface LinkPreview extends PageHead {
  /** Path or https URL of the picture. */
  image: string;
  /** Whether that picture has the size of `shareCard`. */
  isCard: boolean;
  /** Number of the comment that the preview quotes. */
  commentNumber?: number;
}

export interface RenderInput {
  /** Path without query. */
  path: string;
  pageData: PageData;
  /** Number of the comment that the URL names. */
  commentNumber?: number | undefined;
  site: Site;
}
export interface RenderedPage {
  /** Title of the tab. */
  title: string;
  preview: LinkPreview;
  /** Inner HTML of `<div id="root">`. */
  html: string;
}
export type RenderRoot = (input: RenderInput) => RenderedPage;

/** The content of the page's `<script type="application/json" id="page-data">`. */
export interface EmbeddedData {
  pageData: PageData;
  site: Site;
}
