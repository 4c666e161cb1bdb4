import type { BundleName } from '../shared/pages.ts';
import { type Bundle, createBundle } from './create-bundle.tsx';

const home = createBundle(() => import('./bundles/home-bundle.ts'));
const channel = createBundle(() => import('./bundles/channel-bundle.ts'));
const person = createBundle(() => import('./bundles/person-bundle.ts'));
const search = createBundle(() => import('./bundles/search-bundle.ts'));
const late = createBundle(() => import('./bundles/late-bundle.ts'));
const account = createBundle(() => import('./bundles/account-bundle.ts'));
const settings = createBundle(() => import('./bundles/settings-bundle.ts'));

/**
 * The scripts of the client besides the entry. A page's HTML names its own bundle (`pages.ts`), so
 * that it loads beside the entry; links to a page preload it.
 */
export const bundles = {
  home,
  channel,
  person,
  search,
  late,
  account,
  settings,
} satisfies Record<BundleName, Bundle<unknown>>;

export const Home = home.component(({ Home }) => Home);
export const NotFound = home.component(({ NotFound }) => NotFound);

export const ChannelPage = channel.component(({ ChannelPage }) => ChannelPage);

export const PersonPage = person.component(({ PersonPage }) => PersonPage);

export const SearchPage = search.component(({ SearchPage }) => SearchPage);

export const ChannelRail = late.lateComponent(({ ChannelRail }) => ChannelRail);
export const LiveComments = late.lateComponent(({ LiveComments }) => LiveComments);
export const Target = late.lateComponent(({ Target }) => Target);
export const PageWork = late.lateComponent(({ PageWork }) => PageWork);

/** The buttons on a comment, and on the heading of a channel. */
export const CommentTools = account.lateComponent(({ CommentTools }) => CommentTools);
export const ChannelTools = account.lateComponent(({ ChannelTools }) => ChannelTools);
export const ChannelEditor = account.component(({ ChannelEditor }) => ChannelEditor);
export const CommentEditor = account.component(({ CommentEditor }) => CommentEditor);
export const CommentForm = account.component(({ CommentForm }) => CommentForm);
export const AccountWork = account.lateComponent(({ AccountWork }) => AccountWork);
export const NewsWork = account.lateComponent(({ NewsWork }) => NewsWork);
export const ReadingWork = account.lateComponent(({ ReadingWork }) => ReadingWork);
export const Create = account.component(({ Create }) => Create);
export const Login = account.component(({ Login }) => Login);
export const MarkAllRead = account.component(({ MarkAllRead }) => MarkAllRead);
export const NewPassword = account.component(({ NewPassword }) => NewPassword);
export const ProfilePage = account.component(({ ProfilePage }) => ProfilePage);
export const Register = account.component(({ Register }) => Register);
export const UnsentComments = account.component(({ UnsentComments }) => UnsentComments);

export const Recover = settings.component(({ Recover }) => Recover);
export const SettingsPage = settings.component(({ SettingsPage }) => SettingsPage);
