import { pages } from '../../shared/pages.ts';
import { withQueries } from '../api/with-queries.tsx';
import { MovingIn } from '../moderation/moving-in/moving-in.tsx';
import { AccountPage } from '../session/account-page.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import settings from '../ui/styles/settings.module.css';

/** The page where admins bring a chat of another service. */
function MovingInPageContent() {
  return (
    <AccountPage name="movingIn">
      <div className={`page ${settings.page}`}>
        <PageTitle>{pages.movingIn.title}</PageTitle>
        <MovingIn />
      </div>
    </AccountPage>
  );
}

export const MovingInPage = withQueries(MovingInPageContent);
