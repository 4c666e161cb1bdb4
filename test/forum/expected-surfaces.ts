import type { Thing, Viewer } from './moderation-scene.ts';
import { allViewers, personalNames, type Seen } from './surfaces.ts';

/**
 * Names of the surfaces (`surfaces.ts` has their addresses) that show a thing to a guest, to another member, to the one
 * who made it, and to moderators. `trash!` is an image in the trash whose address does not open.
 */
export interface Cells {
  guest?: string;
  member?: string;
  owner?: string;
  staff?: string;
}
/** Cells instead of the first ones, or surfaces that are missing for all viewers or for the owner. */
type Change = Cells | { less: string } | { ownerLess: string };
export type Changes = Partial<Record<Thing, Change>>;

const ofChannel = 'list channel profile search';
const ofComment = `${ofChannel} comments replies`;
/** Pages, which only guests read. */
export const html = 'page person found searches';
const ofName = `${ofComment} thanks`;

/** Where each thing of a scene is shown before any decision. */
export const atFirst: Record<Thing, Cells> = {
  comment: {
    guest: `${ofComment} ${html} live`,
    member: `${ofComment} news`,
    owner: `${ofComment} news export`,
    staff: `${ofComment} versions members`,
  },
  picture: {
    guest: `${ofComment} ${html} live address`,
    member: ofComment,
    owner: `${ofComment} export`,
    staff: `${ofComment} versions`,
  },
  deleted: { owner: 'trash export', staff: 'versions' },
  channel: {
    guest: `${ofChannel} ${html} home`,
    member: `${ofChannel} news`,
    owner: `${ofChannel} export`,
    staff: ofChannel,
  },
  about: {
    guest: `${ofChannel} ${html} home`,
    member: ofChannel,
    owner: `${ofChannel} export`,
    staff: ofChannel,
  },
  cover: {
    guest: `${ofChannel} ${html} home address`,
    member: ofChannel,
    owner: `${ofChannel} export`,
    staff: ofChannel,
  },
  answer: {
    guest: `${ofChannel} comments page found searches live`,
    member: `${ofChannel} comments news`,
    staff: `${ofChannel} comments members`,
  },
  name: {
    guest: `${ofName} ${html} home live`,
    member: `${ofName} news mentions`,
    owner: `${ofName} news me trash export`,
    staff: `${ofName} mentions members queue`,
  },
  avatar: {
    guest: `${ofName} ${html} home live address`,
    member: `${ofName} news mentions`,
    owner: `${ofName} me trash export`,
    staff: `${ofName} mentions members`,
  },
  loose: { guest: 'address', owner: 'export' },
  // The newcomer's, which no moderator has approved.
  newName: { owner: 'me export', staff: 'profile members queue' },
  waiting: { owner: 'pending export', staff: 'queue' },
  waitingPicture: { owner: 'pending export', staff: 'queue' },
  plan: { owner: 'pending export', staff: 'members queue' },
  planCover: { owner: 'pending export', staff: 'queue' },
};
const newcomers: Thing[] = ['newName', 'waiting', 'waitingPicture', 'plan', 'planCover'];

/** `atFirst` with changes, as each of these viewers sees it. @param queued what the queue shows moderators, too */
export function expected(changes: Changes, queued: Thing[] = [], viewers = allViewers): Seen {
  const seen: Seen = {};
  for (const [name, first] of Object.entries(atFirst)) {
    const thing = name as Thing;
    const { guest, member, owner, staff } = apply(first, changes[thing]);
    const moderator = queued.includes(thing) ? `${staff ?? ''} queue` : staff;
    // Other people do not have the member's notifications.
    const other = without(member, 'news');
    const [author, newcomer] = newcomers.includes(thing) ? [other, owner] : [owner ?? other, other];
    const cells = { guest, member, author, newcomer, moderator, admin: personal(moderator) };
    const shown = Object.entries(cells).flatMap(([viewer, surfaces = '']) =>
      surfaces === '' || !viewers.includes(viewer as Viewer)
        ? []
        : [[viewer, [...new Set(surfaces.trim().split(' '))].sort().join(' ')]],
    );
    if (shown.length > 0) seen[thing] = Object.fromEntries(shown);
  }
  return seen;
}

function apply(first: Cells, change: Change = first): Cells {
  if ('ownerLess' in change) return { ...first, owner: without(first.owner, change.ownerLess) };
  if (!('less' in change)) return change;
  const cells = Object.entries(first) as [keyof Cells, string][];
  return Object.fromEntries(cells.map(([viewer, names]) => [viewer, without(names, change.less)]));
}

const without = (surfaces = '', missing: string) =>
  surfaces
    .split(' ')
    .filter((name) => !missing.split(' ').includes(name))
    .join(' ');

/** The surfaces that are read as a second moderator, too. */
const personal = (surfaces = '') =>
  surfaces
    .split(' ')
    .filter((name) => personalNames.includes(name))
    .join(' ');
