import type { Channel } from './channels.ts';
import type { FormPage } from './pages.ts';

/**
 * What the server knows when it renders a page, and hands to the browser for hydration. It is the
 * same for everyone: nothing of a signed-in person is ever in it.
 */
export type PageData =
  | { page: 'home'; channels: Channel[]; next: string | null; isFirstPage: boolean }
  | {
      page: 'channel';
      /** `comments` holds one page of them. */
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

/** What a page says of itself to tabs, search engines and previews. */
export interface PageHead {
  title: string;
  description: string;
  /** Path or https address of the preview image. */
  image: string;
}

/** The contract between the page renderer of the client and the server that calls it. */
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

/** Everything in the page's `<script type="application/json" id="page-data">`. */
export interface EmbeddedData {
  pageData: PageData;
  site: Site;
}
