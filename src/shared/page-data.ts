import type { Channel } from './channels.ts';
import type { FormPage } from './pages.ts';

/**
 * The data that the server renders a page from and embeds for hydration. It is the same for every
 * visitor and never contains data of the signed-in user.
 */
export type PageData =
  | { page: 'home'; channels: Channel[]; next: string | null; isFirstPage: boolean }
  | {
      page: 'channel';
      /** With one page of its comments. */
      channel: Channel;
      /** Id of the last comment of this page when more follow, else null. */
      next: string | null;
      isFirstPage: boolean;
    }
  | { page: FormPage | 'not-found' };

/** The settings of this site that a page shows. */
export interface Site {
  socialLinks: { label: string; href: string }[];
  maxImageMb: number;
}

/** For tabs, search engines and link previews. */
export interface PageHead {
  title: string;
  description: string;
  /** Path or https address of the preview image. */
  image: string;
}

export interface RenderInput {
  /** Path without query. */
  path: string;
  pageData: PageData;
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
