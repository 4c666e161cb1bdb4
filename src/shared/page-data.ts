import type { Channel, ChannelOrder } from './channels.ts';
import type { CommentRange } from './comment-range.ts';
import type { LogEntry } from './moderation.ts';
import type { FormPage } from './pages.ts';
import type { Person, PersonComment } from './people.ts';
import type { SearchOrder, SearchResults } from './search.ts';
import type { Registration } from './site-settings.ts';

/**
 * The data that the server renders a page from and embeds for hydration. It is the same for every
 * visitor and never contains data of the signed-in user.
 */
export type PageData =
  | {
      page: 'home';
      channels: Channel[];
      /** Empty but on the first page. */
      pinned: Channel[];
      order: ChannelOrder;
      /** The cursor of the address, here as in the pages below; null on the first page. */
      next: string | null;
      after: string | null;
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
  | ({ page: 'user' } & PersonContent)
  | ({ page: 'search' } & SearchContent)
  | { page: 'log'; entries: LogEntry[]; next: string | null; after: string | null }
  | { page: FormPage | 'not-found' };

/** The content of the search page. */
export interface SearchContent {
  q: string;
  /** The channel that is searched; null for all. */
  channel: { _id: string; name: string } | null;
  /** The person whose comments are searched, without a name when there is no such account; null for all. */
  author: { id: string; name: string | null } | null;
  isExact: boolean;
  sort: SearchOrder;
  after: string | null;
  /** Null when nothing is searched for. */
  results: SearchResults | null;
  /** Advice when `q` cannot be searched for. */
  hint: string | null;
}

/** The content of the page of a person. */
interface PersonContent {
  person: Person;
  /** The newest channels, at most `limits.listItems`. */
  channels: Channel[];
  /** One page of comments, newest first. */
  comments: PersonComment[];
  /** Cursor of the next page of comments; null on the last one. */
  next: string | null;
  after: string | null;
}

/** The settings of this site that a page shows. */
export interface Site {
  /** The community's own value; empty while it has none. */
  name: string;
  /** Below the name on the home page; empty while there is none. */
  welcome: string;
  registration: Registration;
  socialLinks: { label: string; href: string }[];
  maxImageMb: number;
  /** Whom to ask: an e-mail address or a sentence. Only in the pages that show it. */
  contact?: string | null;
  /** Whether the page of the rules says whom to ask. */
  hasContact: boolean;
  /** Only in the page that shows them. */
  rules?: string;
  /** Whether the site sends e-mail. */
  hasMail: boolean;
}

/** Metadata for tabs, search engines and link previews. */
export interface PageHead {
  title: string;
  description: string;
  /** Path or https address of the preview image. */
  image: string;
  /** Whether that image has the size of `shareCard`. */
  isCard: boolean;
  /** Number of the comment that the preview quotes. */
  commentNumber?: number;
}

export interface RenderInput {
  /** Path without query. */
  path: string;
  pageData: PageData;
  /** Number of the comment that the address names. */
  commentNumber?: number | undefined;
  site: Site;
}
interface RenderedPage {
  head: PageHead;
  /** Inner HTML of `<div id="root">`. */
  html: string;
}
export type RenderPage = (input: RenderInput) => RenderedPage;

/** The content of the page's `<script type="application/json" id="page-data">`. */
export interface EmbeddedData {
  pageData: PageData;
  site: Site;
}
